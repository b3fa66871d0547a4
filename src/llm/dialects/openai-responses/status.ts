/** How a response of the Responses API ends: its terminal event, its status, and why it is incomplete. */
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

/** The API has no word for tool use, since a call is an item, and none for a refusal, which is a part of a message. */
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

/** The ending of a generation; undefined for a missing signal. */
export function endingOf({ stop, signal }: GenerationEnd): Ending | undefined {
  switch (signal) {
    case 'honest':
      return endings[stop];
    case 'lying':
      return completed;
    case 'missing':
      return undefined;
    // The event and the response in it differ.
    case 'contradictory':
      return { ...incomplete('max_output_tokens'), event: 'response.completed' };
  }
}

/** The stop reason of an incomplete response; `unknown` for a word that the API does not have. */
export const reasonOf = (word: string): StopReason => reasons.get(word) ?? 'unknown';

/** The statuses of a response in the background: before it begins, and after it was cancelled. */
export const backgroundStatus = { queued: 'queued', cancelled: 'cancelled' } as const;
