/** Targets for tests of the built command: the example agent, with and without faults, and simulated gateways. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/kit/spec/index.ts';
import { until } from '../src/kit/world/until.test-helper.ts';
import { command, program, startWireproof } from '../conformance/command.test-helper.ts';
import type { RunningProgram } from '../conformance/command.test-helper.ts';

export {
  checked,
  program,
  scratch,
  startNode,
  startWireproof,
  wireproof,
} from '../conformance/command.test-helper.ts';
export type { CheckedProgram, Ran, RunningProgram } from '../conformance/command.test-helper.ts';

const root = packageRoot();

/** The example agent. */
export const example: string = join(root, 'conformance/examples/fold-agent.mjs');

/** Long timeouts, because a busy machine can take long to start a target. */
export const longTimeouts: readonly string[] = ['--timeout', 'handshake=30s'];

/**
 * The example agent with one fault: `from` is replaced by `to`.
 *
 * @throws Error when the example does not contain `from`
 */
export function faulty(name: string, from: string | RegExp, to: string): string {
  const original = readFileSync(example, 'utf8').replace(
    '`${import.meta.dirname}/../../spec/fold/coven.proto`',
    JSON.stringify(join(root, 'spec/fold/coven.proto')),
  );
  const planted = original.replace(from, to);
  if (planted === original) throw new Error(`the fault ${name} has no place in the example`);
  return program(`${name}.mjs`, planted);
}

/** A fault: the agent sends a text after the end of each request. */
export const lateTextFault = (name: string): string =>
  faulty(
    name,
    'if (terminal) this.send(terminal);',
    "if (terminal) { this.send(terminal); const { request_id } = this; setTimeout(() => send({ response: { request_id, text: 'late' } }), 20); }",
  );

/** The reference itself as a target. */
export const reference = (...args: readonly string[]): readonly string[] => [
  process.execPath,
  command,
  ...args,
];

/** The port that a simulated peer prints when it listens. */
export async function portOf(peer: RunningProgram): Promise<number> {
  const [, port] = await peer.prints(/ on (?:port |127\.0\.0\.1:)(\d+)\b.*\n/);
  return Number(port);
}

/** A simulated gateway in its own process, with its two ports. */
export interface SimulatedGateway {
  readonly gateway: RunningProgram;
  readonly port: number;
  readonly http: number;
}

/** Starts a simulated gateway on ports that the system chooses. */
export async function simulated(args: readonly string[]): Promise<SimulatedGateway> {
  const ports = ['--listen', '127.0.0.1:0', '--http', '127.0.0.1:0'];
  const gateway = startWireproof(['simulate', 'fold/gateway', ...ports, ...args]);
  const port = await portOf(gateway);
  const [, http] = await gateway.prints(/http:\/\/127\.0\.0\.1:(\d+)/);
  return { gateway, port, http: Number(http) };
}

/** The processes that run with this text in their command line. */
function processesWith(text: string): readonly string[] {
  const list = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
  return list.filter((line) => line.includes(text) && !line.includes('ps -eo'));
}

/** Waits until this number of processes have this text in their command line. */
export const untilProcesses = (text: string, isWanted: (count: number) => boolean): Promise<void> =>
  until(
    () => isWanted(processesWith(text).length),
    () => processesWith(text).join('\n'),
    100,
  );

/** Waits until no process has this text in its command line. A killed process may take a moment to end. */
export const untilNoProcess = (text: string): Promise<void> => untilProcesses(text, (count) => count === 0);

/** A comment that contains a key or an item of a list. */
const commentedKey = /^(\s*)# (\s*(?:[a-z_]+:(?: .*)?|- .*))$/;

/** A statement of `init` with the comments of keys and items uncommented. */
export const uncommented = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(commentedKey, '$1$2'))
    .join('\n');
