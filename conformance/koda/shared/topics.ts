/** The topics of events, by which rules listen. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { isEngineCommand, isEngineEvent } from '../../../src/koda/index.ts';

/** Whether an event is from the target. */
export const fromTarget = ({ from }: TraceEvent): boolean => from === 'target';

const closing: ReadonlySet<string> = new Set(['end', 'reset', 'half_close']);

/** Whether the sender of an event sends nothing more on its stream. */
export const isClosing = ({ kind }: TraceEvent): boolean => closing.has(kind);

/**
 * The one topic of an event: `event.` or `command.` with the type of the message; `unreadable` for a message of the
 * target that could not be read; `closing` where the target ends a stream; `odd` for data that is no message; otherwise
 * the kind of the event.
 */
export function topicOf(event: TraceEvent): string {
  const { kind, data } = event;
  if (kind === 'message') {
    // A trace file may hold what the codec refuses.
    if (isEngineEvent(data)) return `event.${data.type}`;
    return isEngineCommand(data) ? `command.${data.type}` : 'odd';
  }
  if (!fromTarget(event)) return kind;
  if (kind === 'undecodable') return 'unreadable';
  return isClosing(event) ? 'closing' : kind;
}

/** Messages of the target. Rules of texts listen to them in both suites. */
export const extraTopicsOf = (event: TraceEvent): string =>
  event.kind === 'message' && fromTarget(event) && topicOf(event) !== 'odd' ? 'sent' : '';
