/**
 * Measures the newest SDKs and frameworks of conformance/sdks with the suite llm/client, and prints the tables of
 * spec/llm/SDKS.md: the verdicts, and the message of each failure. Then it plays changed answers of servers to the SDKs, and
 * compares them with the judge of llm/server: half an hour. It writes the table of spec/llm/SERVER-MUTATIONS.md.
 * Usage: npm run sdks [-- WORD …], in a built checkout. A word selects the testees whose names contain it; `servers`
 * selects the second part.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { newest } from './sdks/install.mjs';
import { reportOf, root, tableOf } from './measured.mjs';

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
  [['gemini.mjs'], '@google/genai'],
  [['gemini-interactions.mjs'], '@google/genai'],
  [['bedrock.mjs'], '@aws-sdk/client-bedrock-runtime'],
  [['lmstudio.mjs'], '@lmstudio/sdk'],
  [['ai-sdk.mjs', 'anthropic'], 'ai'],
  [['ai-sdk.mjs', 'openai-chat'], 'ai'],
  [['ai-sdk.mjs', 'openai-responses'], 'ai'],
  [['langchain.mjs', 'anthropic'], '@langchain/anthropic'],
  [['langchain.mjs', 'openai-chat'], '@langchain/openai'],
  [['langchain.mjs', 'openai-responses'], '@langchain/openai'],
];

const nameOf = ([file, ...flags]) => [file.replace('.mjs', ''), ...flags].join(' ');

/** Checks a testee. @returns the report */
function measure([file, ...flags]) {
  const target = [node, join(folder, file), ...flags];
  return reportOf(['llm/client', '--timeout', 'handshake=30s', '--', ...target]);
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
const columns = [];
// The newest SDKs, under a modern Node.js.
const { node, folder, versionOf } = newest(join(root, 'conformance/sdks'));
for (const [args, sdk] of chosen) {
  console.error(`measures ${nameOf(args)} …`);
  columns.push({ name: nameOf(args), version: versionOf(sdk), report: await measure(args) });
}
if (columns.length > 0) {
  for (const line of tableOf(columns)) console.log(line);
  printFailures(columns);
}
if (words.length === 0 || words.includes('servers')) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  // SDKs leave promises behind that nobody awaits.
  const flags = ['--project', 'sdks', '--dangerouslyIgnoreUnhandledErrors'];
  const run = [vitest, 'run', '--config', '.config/vitest.config.ts', ...flags];
  process.exitCode = spawnSync(process.execPath, run, { cwd: root, stdio: 'inherit' }).status ?? 1;
}
