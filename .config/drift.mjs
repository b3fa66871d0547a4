/**
 * Compares the lists of words in spec/llm/words with the typings of the newest SDKs, and prints the differences. The exit code is 1
 * where a stable word is new, 3 where an SDK could not be fetched or read.
 */
import { parseArgs } from 'node:util';
import { differences, isUrgent, linesOf } from './drift/differences.mjs';
import { fetched } from './drift/install.mjs';
import { listOf, write } from './drift/lists.mjs';
import { sdks } from './drift/sources.mjs';
import { wordsOf } from './drift/typings.mjs';

const help = `Usage: npm run drift [-- [--json] [--write] [--only DIALECT]]

Fetches the newest SDKs of the model providers, reads the words of their typings, and compares them with spec/llm/words.

  --json            print the differences as JSON
  --write           add new words to the lists, with "kit: new"; a test refuses them until somebody decides
  --only DIALECT    one of ${sdks.map(({ dialect }) => dialect).join(', ')}

Exit codes: 0, no stable word is new; 1, a stable word is new, or has left beta; 2, wrong usage; 3, an SDK could not be
fetched or read. The SDKs are kept in WIREPROOF_DRIFT, else in wireproof/drift of the user's cache.

Examples:
  npm run drift
  npm run --silent drift -- --json > drift.json
  npm run drift -- --only anthropic --write`;

/**
 * Compares.
 *
 * @param {typeof sdks} chosen
 * @param {boolean} isWritten whether new words are added to the lists
 * @throws Error with one sentence when an SDK cannot be fetched or read
 */
function compared(chosen, isWritten) {
  const packages = fetched([...new Set(chosen.map((sdk) => sdk.package))]);
  return chosen.map((sdk) => {
    const { version, fileOf } = packages.get(sdk.package) ?? {};
    if (version === undefined || fileOf === undefined) throw new Error(`npm fetched no ${sdk.package}`);
    const words = wordsIn(sdk, version, fileOf);
    const found = differences(words, listOf(sdk.dialect));
    if (isWritten) write(sdk, version, found);
    return { dialect: sdk.dialect, package: sdk.package, version, words: words.length, differences: found };
  });
}

function wordsIn(sdk, version, fileOf) {
  try {
    return wordsOf(sdk.sources, fileOf);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${sdk.package} ${version}: ${why}; .config/drift/sources.mjs says where its words are`, {
      cause: error,
    });
  }
}

/** Prints a table, or that there is nothing to show. */
function print(results) {
  const rows = results.flatMap(({ dialect, package: named, version, differences: found }) =>
    found.map(({ kind, word, change, stage }) => [dialect, kind, word, change, stage, `${named} ${version}`]),
  );
  if (rows.length > 0)
    for (const line of linesOf([['dialect', 'kind', 'word', 'change', 'stage', 'SDK'], ...rows]))
      console.log(line);
  const count = results.reduce((sum, { words }) => sum + words, 0);
  const versions = new Set(results.map(({ package: named, version }) => `${named} ${version}`));
  console.log(`${rows.length} of ${count} words differ from the lists. Read: ${[...versions].join(', ')}.`);
}

/** Runs the command. @returns the exit code */
function main() {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      only: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const chosen = sdks.filter(({ dialect }) => values.only === undefined || dialect === values.only);
  if (chosen.length === 0) {
    console.error(`--only takes one of ${sdks.map(({ dialect }) => dialect).join(', ')}`);
    return 2;
  }
  const results = compared(chosen, values.write);
  if (values.json) console.log(JSON.stringify(results, null, 2));
  else print(results);
  return results.some((one) => one.differences.some(isUrgent)) ? 1 : 0;
}

try {
  process.exitCode = main();
} catch (error) {
  const isUsage =
    error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  console.error(error instanceof Error ? error.message.split('\n')[0] : String(error));
  process.exitCode = isUsage ? 2 : 3;
}
