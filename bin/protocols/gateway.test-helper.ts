/** Checks of gateways by the built command. */
import type { Report } from '../../src/kit/base/index.ts';
import { checked, longTimeouts, reference } from '../run.test-helper.ts';

/** The simulated gateway as a target. Its agents have less time to answer a cancel than the kit gives it. */
export const simulatedGateway: readonly string[] = reference(
  ...['simulate', 'fold/gateway', '--quiet', '--timeout', 'cancel=4s'],
  ...['--listen', '{listen}', '--http', '127.0.0.1:{http_port}'],
);

/**
 * Timeouts that scenarios wait for are shorter than the default. They are also limits, so a busy machine must keep
 * them.
 */
const shortTimeouts = ['prompt=3s', 'ack=3s', 'cancel=8s', 'step=20s'].flatMap((time) => ['--timeout', time]);

/** The report on a gateway. @throws Error with the command's stderr if there is no report */
export async function report(
  args: readonly string[],
  target: readonly string[],
  env: { readonly [name: string]: string } = {},
): Promise<Report> {
  const found = await checked(['fold/gateway', ...longTimeouts, ...shortTimeouts, ...args], target, { env });
  if (found.report === undefined) throw new Error(found.stderr);
  return found.report;
}

/** Flags that play only these scenarios. */
export const scenarios = (...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => ['--scenario', name]);

export const verdictsOf = (of: Report): { readonly [id: string]: string } =>
  Object.fromEntries(of.requirements.map(({ id, verdict }) => [id, verdict]));

/** The failed requirements, each with its message. */
export const failed = (of: Report): readonly string[] =>
  of.requirements.flatMap(({ id, verdict, message }) =>
    verdict === 'fail' ? [`${id}: ${message ?? ''}`] : [],
  );
