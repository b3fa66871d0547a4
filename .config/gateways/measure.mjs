/** Measures a gateway: each pair of its statement is a column. The reds of a column are compared with those explained by hand. */
import { join } from 'node:path';
import { reportOf, root } from '../measured.mjs';
import { installed } from './install.mjs';
import { explainedReds, pairName, statementOf } from './list.mjs';

/** The check of a pair, as it stands on the page. */
export const checkOf = (gateway, { client, provider }) => [
  'llm/gateway',
  '--statement',
  statementOf(gateway),
  '--drive',
  client,
  '--provider',
  provider,
  '--seed',
  'gateways',
  // Some of them take a processor for seconds to start.
  '--jobs',
  '2',
];

/** Tells the explained reds of a pair that are sometimes there. */
const isUnsteady = (pair) => (red) => red.sometimes === true && red.pairs.includes(pairName(pair));

/**
 * Checks a pair of a gateway, which is installed first.
 *
 * @returns a column of the page
 * @throws Error with one sentence when it cannot be installed, or the check fails
 */
export async function measured(gateway, pair) {
  const env = installed(gateway);
  const args = checkOf(gateway, pair).map((arg) => (arg === statementOf(gateway) ? join(root, arg) : arg));
  const report = await reportOf(args, env);
  const { title, version } = gateway;
  const unsteady = explainedReds(gateway).filter(isUnsteady(pair));
  for (const one of report.requirements) one.unsteady = unsteady.some(({ row }) => row === one.id);
  return { name: `${title}: ${pairName(pair)}`, gateway, pair, version, report };
}

const redsOf = ({ report }) => report.requirements.filter(({ verdict }) => verdict === 'fail');

/** Whether an explanation is about a red of a column. */
const explains = ({ row, pairs, message }, red, { pair }) =>
  row === red.id && pairs.includes(pairName(pair)) && red.message.replace(/\s+/g, ' ').includes(message);

/**
 * Compares the reds of the columns of a gateway with its explained ones.
 *
 * @returns {string[]} a sentence for each red that is not explained, and for each explained red that is not there
 */
export function surprises(gateway, columns) {
  const explained = explainedReds(gateway);
  const missing = columns.flatMap((column) =>
    redsOf(column)
      .filter((red) => !explained.some((one) => explains(one, red, column)))
      .map(({ id, message }) => `${column.name}: ${id} failed, and no explanation fits: ${message}`),
  );
  const outdated = columns.flatMap((column) =>
    explained
      .filter(({ pairs }) => pairs.includes(pairName(column.pair)))
      .filter((one) => one.sometimes !== true && !redsOf(column).some((red) => explains(one, red, column)))
      .map(({ row, message }) => `${column.name}: ${row} is explained, and did not fail with ${message}`),
  );
  return [...missing, ...outdated];
}
