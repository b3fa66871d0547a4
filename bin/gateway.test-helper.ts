/** Checks of gateways by the built command. */
import type { Report } from '../src/kit/base/index.ts';
import { checked, patient, reference } from './run.test-helper.ts';

/** The simulated gateway as a target. Its agents have less time to answer a cancel than the kit gives it. */
export const simulatedGateway: readonly string[] = reference(
  ...['simulate', 'fold/gateway', '--quiet', '--timeout', 'cancel=4s'],
  ...['--listen', '{listen}', '--http', '127.0.0.1:{http_port}'],
);

/**
 * Shorter than by default where scenarios wait for the time to pass. They are limits, too: a busy machine must keep
 * them.
 */
const times = ['prompt=3s', 'ack=3s', 'cancel=8s', 'step=20s'].flatMap((time) => ['--timeout', time]);

/** The report on a gateway. @throws Error with what the command said instead */
export async function report(
  args: readonly string[],
  target: readonly string[],
  env: { readonly [name: string]: string } = {},
): Promise<Report> {
  const found = await checked(['fold/gateway', ...patient, ...times, ...args], target, { env });
  if (found.report === undefined) throw new Error(found.stderr);
  return found.report;
}

/** Flags that play only these scenarios. */
export const scenarios = (...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => ['--scenario', name]);

export const verdictsOf = (of: Report): { readonly [id: string]: string } =>
  Object.fromEntries(of.requirements.map(({ id, verdict }) => [id, verdict]));

/** The rows that failed, with what was seen. */
export const failed = (of: Report): readonly string[] =>
  of.requirements.flatMap(({ id, verdict, message }) =>
    verdict === 'fail' ? [`${id}: ${message ?? ''}`] : [],
  );
