/** The messages in the trace of a live run: what the executor can do, the pieces of the model's output, and the events. */
import type { JsonObject, TraceEvent } from '../../../../src/kit/base/index.ts';

/** The sender of a message: the executor, or whoever gives it the output. */
export type LiveSide = 'target' | 'tester';

/** One message. `at`: its time (ms), which the trace has to the microsecond. */
export const liveMessage = ({
  seq,
  at,
  from,
  data,
}: Pick<TraceEvent, 'seq' | 'at' | 'data'> & { readonly from: LiveSide }): TraceEvent => ({
  seq,
  at: Math.round(at * 1000) / 1000,
  wire: 'sep',
  conn: 'c1',
  stream: 's1',
  from,
  to: from === 'target' ? 'tester' : 'target',
  kind: 'message',
  data,
});

/** The first message: what the reference says of itself as a testee. */
export const helloOf = (testee: (request: JsonObject) => JsonObject): JsonObject => ({
  id: 'hello',
  ok: testee({ id: 'hello', op: 'hello' })['ok'] ?? null,
});

/** A piece of the model's output. */
export const outputOf = (text: string): JsonObject => ({ type: 'output', text });
