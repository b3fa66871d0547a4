/**
 * Measures the SDKs and frameworks of conformance/sdks with the suite llm/client, and prints the tables of
 * spec/llm/SDKS.md: the verdicts, and the message of each failure. Then it plays changed answers of servers to the SDKs, and
 * compares them with the judge of llm/server: half an hour. It writes the table of spec/llm/SERVER-MUTATIONS.md.
 * Usage: npm run sdks [-- WORD …], in a built checkout. A word selects the testees whose names contain it; `servers`
 * selects the second part.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const command = join(root, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).bin.wireproof);

/**
 * The arguments of each testee, and the package that it measures.
 *
 * @type {[args: [file: string, ...string[]], sdk: string][]}
 */
const testees = [
  [['anthropic.mjs'], '@anthropic-ai/sdk'],
  [['anthropic.mjs', '--runner'], '@anthropic-ai/sdk'],
  [['openai-chat.mjs'], 'openai'],
  [['openai-chat.mjs', '--raw'], 'openai'],
  [['openai-responses.mjs'], 'openai'],
  [['ollama.mjs'], 'ollama'],
  [['lmstudio.mjs'], '@lmstudio/sdk'],
  [['ai-sdk.mjs', 'anthropic'], 'ai'],
  [['ai-sdk.mjs', 'openai-chat'], 'ai'],
  [['ai-sdk.mjs', 'openai-responses'], 'ai'],
  [['langchain.mjs', 'anthropic'], '@langchain/anthropic'],
  [['langchain.mjs', 'openai-chat'], '@langchain/openai'],
  [['langchain.mjs', 'openai-responses'], '@langchain/openai'],
];

const nameOf = ([file, ...flags]) => [file.replace('.mjs', ''), ...flags].join(' ');
const versionOf = (name) =>
  JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;

/** Checks a testee. @returns the report */
async function measure(args, folder) {
  const file = join(folder, `${nameOf(args).replace(/\W+/g, '-')}.json`);
  const check = [command, 'check', 'llm/client', '--timeout', 'handshake=30s', '--report', `json=${file}`];
  const target = [process.execPath, join(root, 'conformance/sdks', args[0]), ...args.slice(1)];
  const child = spawn(process.execPath, [...check, '--', ...target], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  await new Promise((resolve) => child.on('close', resolve));
  return JSON.parse(readFileSync(file, 'utf8'));
}

const cellOf = ({ verdict }) => ({ pass: 'pass', fail: '**fail**' })[verdict] ?? '·';
const rowName = ({ id, level }) => `${id.replace('LLM-', '')}${level === 'MUST' ? '' : ` (${level})`}`;

function printTable(columns) {
  const lines = (cells) => console.log(`| ${cells.join(' | ')} |`);
  lines(['row', ...columns.map(({ name }) => name)]);
  lines(['---', ...columns.map(() => '---')]);
  lines(['version', ...columns.map(({ version }) => version)]);
  for (const row of columns[0].report.requirements) {
    const of = columns.map(({ report }) => report.requirements.find(({ id }) => id === row.id));
    if (of.some((one) => ['pass', 'fail'].includes(one?.verdict)))
      lines([rowName(row), ...of.map((one) => cellOf(one ?? {}))]);
  }
  lines([
    'MUSTs exercised',
    ...columns.map(({ report }) => `${report.scope.must.exercised} of ${report.scope.must.applicable}`),
  ]);
}

function printFailures(columns) {
  for (const { name, report } of columns) {
    console.log(`\n${name}`);
    for (const { id, verdict, message } of report.requirements)
      if (verdict === 'fail') console.log(`- ${id}: ${message.split('\n')[0]}`);
  }
}

const words = process.argv.slice(2);
const chosen = testees.filter(
  ([args]) => words.length === 0 || words.some((word) => nameOf(args).includes(word)),
);
const folder = mkdtempSync(join(tmpdir(), 'wireproof-sdks-'));
const columns = [];
for (const [args, sdk] of chosen) {
  console.error(`measures ${nameOf(args)} …`);
  columns.push({ name: nameOf(args), version: versionOf(sdk), report: await measure(args, folder) });
}
rmSync(folder, { recursive: true });
if (columns.length > 0) {
  printTable(columns);
  printFailures(columns);
}
if (words.length === 0 || words.includes('servers')) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  // SDKs leave promises behind that nobody awaits.
  const flags = ['--project', 'sdks', '--dangerouslyIgnoreUnhandledErrors'];
  const run = [vitest, 'run', '--config', '.config/vitest.config.ts', ...flags];
  process.exitCode = spawnSync(process.execPath, run, { cwd: root, stdio: 'inherit' }).status ?? 1;
}
