/** Questions about one event, which many rules of gateways ask. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';

/** Whether an event is a message of the target. */
export const isSaidByTarget = (event: TraceEvent): boolean =>
  event.kind === 'message' && event.from === 'target';

/** Whether an event is a message to the target. */
export const isSaidToTarget = (event: TraceEvent): boolean =>
  event.kind === 'message' && event.from !== 'target';

/** Whether the target says something on a stream. */
export const isSaidOn = (event: TraceEvent, stream: string): boolean =>
  event.stream === stream && event.from === 'target';

/** Whether an event ends its stream at once. */
export const isEnd = (event: TraceEvent): boolean => event.kind === 'end' || event.kind === 'reset';

/** Whether an event ends its stream with a failure. */
export const isFailure = (event: TraceEvent): boolean =>
  event.kind === 'reset' || (event.kind === 'end' && event.data['code'] !== 0);

/** The gRPC status of a method that the target does not have. */
const unimplemented = 12;

/** Whether an event says that the target, or its driver, does not have the call. */
export const isUnimplemented = (event: TraceEvent): boolean =>
  event.kind === 'end' && event.data['code'] === unimplemented;
