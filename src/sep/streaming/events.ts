/** The events of a stream, for a user. */
import { exactText } from '../../kit/base/index.ts';
import type { Json } from '../../kit/base/index.ts';
import type { ExecutorEvent } from '../executor/io.ts';
import type { SepAction } from '../parser/events.ts';

/** An event of a stream. */
export interface StreamEvent {
  /** The kind of the event: thought, action, response, text, started, completed and so on. */
  readonly tokenType: ExecutorEvent['type'];
  /** The text of a thought or response, the output of an action as text, or the words of an error, a remark or a block. */
  readonly content: string;
  readonly metadata: {
    /** The action, of its own events and of those about it. */
    readonly action?: SepAction;
    /** The event as the executor has it. */
    readonly event: ExecutorEvent;
  };
}

/** An event with its text. */
export const streamEvent = (event: ExecutorEvent, action: SepAction | undefined): StreamEvent => ({
  tokenType: event.type,
  content: contentOf(event),
  metadata: action === undefined ? { event } : { action, event },
});

/** An event as text for a user. */
function contentOf(event: ExecutorEvent): string {
  switch (event.type) {
    case 'thought':
    case 'response':
    case 'text':
    case 'context_feed':
      return event.text;
    case 'partial':
    case 'completed':
      return outputText(event.output);
    case 'failed':
      return event.error;
    case 'skipped':
      return `because of ${event.because}`;
    case 'rollback':
      return event.status === 'failed' ? event.error : '';
    case 'diagnostic':
      return event.message;
    case 'condition':
      return `${event.test} is ${event.value}`;
    case 'loop':
      return `${event.rounds} rounds of ${event.list}`;
    case 'template':
      return event.name;
    default:
      return '';
  }
}

const outputText = (output: Json): string => (typeof output === 'string' ? output : exactText(output));
