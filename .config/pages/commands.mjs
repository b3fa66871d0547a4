// The page of the commands: a table of them, and the help of each, as the program prints it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import prettier from 'prettier';

const run = promisify(execFile);

/** The help of a command, 80 columns wide. */
async function helpOf(path) {
  const { COLUMNS: _, ...env } = process.env;
  const args = ['dist/bin/program/program.cjs', ...path, '--help'];
  const { stdout } = await run(process.execPath, args, { env: { ...env, NO_COLOR: '1' } });
  return stdout.trimEnd();
}

/** The names of the commands below a command. */
function namesIn(help) {
  const [, list = ''] = /^(?:Commands|Peers):\n([^]*?)(?:\n\n|$(?![^]))/m.exec(help) ?? [];
  return [...list.matchAll(/^ {2}([a-z][a-z/-]*)/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'help');
}

/** A command and those below it that have none below them, with their help. */
async function leaves(path) {
  const help = await helpOf(path);
  const names = namesIn(help);
  if (names.length === 0) return [{ path, help }];
  return (await Promise.all(names.map((name) => leaves([...path, name])))).flat();
}

/** What the help says of a command in its first paragraph. */
function purposeOf(help) {
  const [, text = ''] = /^Usage: [^]*?\n\n([^]*?)\n\n/.exec(help) ?? [];
  return text.replaceAll('\n', ' ').replaceAll('|', '\\|');
}

/** The text of the page. */
export async function commandsPage() {
  const commands = await leaves([]);
  const rows = commands.map(({ path, help }) => {
    const name = path.join(' ');
    return `| [${name}](#${name.replaceAll(' ', '-').replaceAll('/', '')}) | ${purposeOf(help)} |`;
  });
  const parts = commands.map(({ path, help }) => `## ${path.join(' ')}\n\n\`\`\`text\n${help}\n\`\`\``);
  const text = `# Commands

This page is what the program prints with \`--help\` (\`npm run pages\` writes it). \`NO_COLOR=1\` turns colour off, \`FORCE_COLOR=1\` turns it
on in a pipe or a CI job, \`FORCE_COLOR=0\` off. The report goes to stdout, everything else to stderr.

| command | purpose |
| --- | --- |
${rows.join('\n')}

${parts.join('\n\n')}
`;
  return prettier.format(text, { ...(await prettier.resolveConfig('spec/commands.md')), parser: 'markdown' });
}
