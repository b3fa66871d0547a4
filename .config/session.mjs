// Prints a hand-written session as a whole trace, which `wireproof judge` and `view` read.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Script } from 'node:vm';
import { rolldown } from 'rolldown';

const help = `Prints a hand-written session of fixtures/PROTOCOL/sessions as a whole trace.

  npm run -s session -- PROTOCOL NAME

Examples:
  npm run -s session -- fold FOLD-A14.bad-2 > bad.jsonl
  npx wireproof judge bad.jsonl
`;

/** The module that reads the sessions. Nothing is written: `dist/` is what is packed. */
async function reader() {
  const bundled = await rolldown({
    input: './.config/session/entry.mjs',
    external: /^(?:node:|[a-z@])/,
    platform: 'node',
  });
  const { output } = await bundled.generate({ format: 'cjs', codeSplitting: false });
  const filename = resolve('dist/session.cjs');
  const exports = {};
  const script = new Script(`(exports, require, __filename) => {${output[0].code}\n}`, { filename });
  script.runInThisContext()(exports, createRequire(filename), filename);
  return exports;
}

const [protocol, name, ...more] = process.argv.slice(2);
if (protocol === '--help') process.stdout.write(help);
else if (name === undefined || more.length > 0) {
  process.stderr.write(help);
  process.exitCode = 2;
} else {
  const { sessionNamed, textOfTrace } = await reader();
  try {
    const { header, events } = sessionNamed(protocol, name.replace(/\.jsonl$/, ''));
    process.stdout.write(textOfTrace(header, events));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
