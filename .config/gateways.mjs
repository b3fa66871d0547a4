/**
 * Installs real gateways between dialects of models, measures them with the suite llm/gateway, and writes spec/llm/GATEWAYS.md.
 * Usage: npm run gateways [-- --only NAME [--pair 'CLIENT over PROVIDER']] [--check] [--test], in a built checkout. --only prints the
 * columns of one gateway, --check compares and writes nothing, --test runs the tests of the project `gateways`. The exit code is 1
 * where a red is not explained in .config/gateways/reds, where an explained red is not there, or where the page differs; 3 where a
 * gateway could not be measured.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as prettier from 'prettier';
import { gateways, pairName, pairsOf } from './gateways/list.mjs';
import { measured, surprises } from './gateways/measure.mjs';
import { pageOf, withoutDay } from './gateways/page.mjs';
import { root, tableOf } from './measured.mjs';

const page = join(root, 'spec/llm/GATEWAYS.md');

/**
 * Measures pairs of a gateway, one after the other.
 *
 * @param {import('./gateways/list.mjs').Gateway} gateway
 * @param {string | undefined} chosen the name of the only pair
 * @returns its columns, what is wrong with them, and why it could not be measured
 */
async function columnsOf(gateway, chosen) {
  const columns = [];
  try {
    for (const pair of pairsOf(gateway).filter((one) => chosen === undefined || pairName(one) === chosen)) {
      console.error(`measures ${gateway.title} ${gateway.version}, ${pairName(pair)} …`);
      columns.push(await measured(gateway, pair));
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { columns, wrong: [], missing: [`${gateway.title} was not measured: ${why}`] };
  }
  return { columns, wrong: surprises(gateway, columns), missing: [] };
}

/** Writes the page, or with `isOnlyCompared` compares it. @returns what is wrong with it */
async function written(columns, isOnlyCompared) {
  const text = pageOf(gateways, columns, new Date().toISOString().slice(0, 10));
  const options = await prettier.resolveConfig(page);
  const made = await prettier.format(text, { ...options, parser: 'markdown' });
  if (!isOnlyCompared) writeFileSync(page, made);
  else if (withoutDay(readFileSync(page, 'utf8')) !== withoutDay(made))
    return ['spec/llm/GATEWAYS.md differs; npm run gateways writes it'];
  return [];
}

/** Runs the tests of the project. @returns the exit code */
function tested() {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const run = [vitest, 'run', '--config', '.config/vitest.config.ts', '--project', 'gateways'];
  return spawnSync(process.execPath, run, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

/**
 * Measures the gateways, and reports.
 *
 * @param {{ only?: string, pair?: string, check?: boolean }} flags
 * @returns the exit code
 */
async function measuredAll({ only, pair, check }) {
  const chosen = gateways.filter(({ name }) => only === undefined || name === only);
  if (chosen.length === 0 || (pair !== undefined && only === undefined)) {
    console.error(`--pair needs --only, and --only one of ${gateways.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  const results = [];
  for (const gateway of chosen) results.push(await columnsOf(gateway, pair));
  const columns = results.flatMap((one) => one.columns);
  const wrong = results.flatMap((one) => one.wrong);
  const missing = results.flatMap((one) => one.missing);
  if (only !== undefined && columns.length > 0) for (const line of tableOf(columns)) console.log(line);
  if (only === undefined && wrong.length + missing.length === 0)
    wrong.push(...(await written(columns, check === true)));
  for (const sentence of [...wrong, ...missing]) console.error(sentence);
  if (missing.length > 0) return 3;
  return wrong.length === 0 ? 0 : 1;
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    pair: { type: 'string' },
    check: { type: 'boolean' },
    test: { type: 'boolean' },
  },
});
process.exitCode = values.test === true ? tested() : await measuredAll(values);
