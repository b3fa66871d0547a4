/** How a response of the Responses API says that it is over: its terminal event, its status, and why it is incomplete. */
import type { StopReason } from '../../../kit/base/index.ts';
import type { GenerationEnd } from '../../messages.ts';

/** The end of a response. */
export interface Ending {
  readonly event: 'response.completed' | 'response.incomplete' | 'response.failed';
  readonly status: 'completed' | 'incomplete' | 'failed' | 'cancelled';
  /** `incomplete_details.reason`. */
  readonly reason?: string;
}

const completed: Ending = { event: 'response.completed', status: 'completed' };
const incomplete = (reason: string): Ending => ({
  event: 'response.incomplete',
  status: 'incomplete',
  reason,
});

/** There is no word for tool use: a call among the items says it. Nor for a refusal, which is a part of a message. */
const endings: { readonly [R in StopReason]: Ending } = {
  end_turn: completed,
  tool_use: completed,
  stop_sequence: completed,
  pause_turn: completed,
  refusal: completed,
  max_tokens: incomplete('max_output_tokens'),
  context_window: incomplete('max_output_tokens'),
  content_filter: incomplete('content_filter'),
  unknown: incomplete('unknown'),
  cancelled: { event: 'response.incomplete', status: 'cancelled' },
  error: { event: 'response.failed', status: 'failed' },
};

const reasons: ReadonlyMap<string, StopReason> = new Map([
  ['max_output_tokens', 'max_tokens'],
  ['content_filter', 'content_filter'],
]);

/** How a generation's end is said; a missing signal is none. */
export function endingOf({ stop, signal }: GenerationEnd): Ending | undefined {
  switch (signal) {
    case 'honest':
      return endings[stop];
    case 'lying':
      return completed;
    case 'missing':
      return undefined;
    // The event says one thing, the response in it another.
    case 'contradictory':
      return { ...incomplete('max_output_tokens'), event: 'response.completed' };
  }
}

/** What the reason of an incomplete response says; a word that the API does not have is `unknown`. */
export const reasonOf = (word: string): StopReason => reasons.get(word) ?? 'unknown';
