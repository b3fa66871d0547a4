/** A run of a simulated peer with streams that keep what is written. */
import { PassThrough } from 'node:stream';
import type { TraceEvent } from '../base/index.ts';
import type { SimulatorRun } from '../suite/index.ts';

/** A run, the texts it wrote, and how to interrupt it. */
export interface FakeRun {
  readonly run: SimulatorRun;
  readonly stdin: PassThrough;
  out(): string;
  err(): string;
  interrupt(): void;
}

/** Makes one; `flags` as commander gives them. */
export function fakeRun(
  flags: { readonly [name: string]: unknown } = {},
  command: readonly string[] = [],
): FakeRun {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const abort = new AbortController();
  const process = { stdin, stdout, stderr, env: { SET: 'value', EMPTY: '' } };
  const written = new Map<PassThrough, string>();
  for (const stream of [stdout, stderr])
    stream.on('data', (chunk: Buffer) =>
      written.set(stream, `${written.get(stream) ?? ''}${chunk.toString()}`),
    );
  const simulator = {
    name: 'fold/made-up',
    text: '',
    takes: [],
    address: '127.0.0.1:50051',
    flags: [],
    load: () => Promise.reject(new Error('not loaded here')),
  };
  return {
    run: {
      simulator,
      command,
      flags: { rules: true, redact: true, ...flags },
      process,
      interrupt: abort.signal,
    },
    stdin,
    out: () => written.get(stdout) ?? '',
    err: () => written.get(stderr) ?? '',
    interrupt: () => abort.abort(),
  };
}

/** An event of a message from the target, unless it says otherwise. */
export const eventOf = (data: TraceEvent['data'], more: Partial<TraceEvent> = {}): TraceEvent => ({
  seq: 7,
  at: 1500,
  wire: 'fold',
  conn: 'c1',
  stream: 's1',
  from: 'target',
  to: 'gateway',
  kind: 'message',
  data,
  ...more,
});
