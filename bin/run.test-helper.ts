/** The example agent as a target of the built command, with and without faults, and simulated gateways. */
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

/** Flags for a target that has no time to keep: a busy machine may take long to start it. */
export const patient: readonly string[] = ['--timeout', 'handshake=30s'];

/** The example agent with one fault planted in it. @throws Error when the fault finds no place */
export function faulty(name: string, from: string | RegExp, to: string): string {
  const original = readFileSync(example, 'utf8').replace(
    '`${import.meta.dirname}/../../spec/fold/coven.proto`',
    JSON.stringify(join(root, 'spec/fold/coven.proto')),
  );
  const planted = original.replace(from, to);
  if (planted === original) throw new Error(`the fault ${name} finds no place in the example`);
  return program(`${name}.mjs`, planted);
}

/** The fault that sends a text after the end of each request. */
export const lateText = (name: string): string =>
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

/** The port on which a simulated peer says that it waits. */
export async function portOf(peer: RunningProgram): Promise<number> {
  const [, port] = await peer.prints(/ on (?:port |127\.0\.0\.1:)(\d+)\b.*\n/);
  return Number(port);
}

/** A simulated gateway that runs beside the test, with its two ports. */
export interface SimulatedGateway {
  readonly gateway: RunningProgram;
  readonly port: number;
  readonly http: number;
}

/** Starts one on ports that the system chooses. */
export async function simulated(args: readonly string[]): Promise<SimulatedGateway> {
  const ports = ['--listen', '127.0.0.1:0', '--http', '127.0.0.1:0'];
  const gateway = startWireproof(['simulate', 'fold/gateway', ...ports, ...args]);
  const port = await portOf(gateway);
  const [, http] = await gateway.prints(/http:\/\/127\.0\.0\.1:(\d+)/);
  return { gateway, port, http: Number(http) };
}

/** The processes that run with this text in their command line. */
function running(text: string): readonly string[] {
  const list = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
  return list.filter((line) => line.includes(text) && !line.includes('ps -eo'));
}

/** Waits until the processes with this text in their command line are as many as wanted. */
export const runs = (text: string, isWanted: (count: number) => boolean): Promise<void> =>
  until(
    () => isWanted(running(text).length),
    () => running(text).join('\n'),
    100,
  );

/** Waits until no process has this text in its command line: one that was killed may take a moment to go. */
export const noneRuns = (text: string): Promise<void> => runs(text, (count) => count === 0);

/** A comment that hides a key or an item of a list. */
const hidden = /^(\s*)# (\s*(?:[a-z_]+:(?: .*)?|- .*))$/;

/** A statement of `init` with each key and item that a comment hides. */
export const uncommented = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(hidden, '$1$2'))
    .join('\n');
