/** Failures of model requests: what the turn is told of them, and the words for the user. */
import { defaultRetries } from '../llm/index.ts';
import type { ClientError } from '../llm/index.ts';
import type { ProviderFailure, TurnEnd } from '../tokens/index.ts';
import type { ModelOptions } from './options.ts';

/** Words by which providers say that a prompt is longer than the window. None of them has a status of its own for it. */
const overflowWords =
  /prompt is too long|context[_ -]?(?:length|window|size)|maximum context|too many (?:input )?tokens/i;

const isOverflow = ({ kind, status = 400, type = '', message }: ClientError): boolean =>
  kind === 'provider' && (status === 400 || status === 413) && overflowWords.test(`${type} ${message}`);

/**
 * A failed request in the words of the turn, which decides about a retry. `stream` is never retried: it stands for an
 * answer whose beginning was shown, and for a failure that may not be retried for another reason (LLM-C09).
 *
 * @param shown whether output of it was shown
 * @param attempts the attempts so far, this one included
 */
export function failureOf(
  error: ClientError,
  shown: boolean,
  attempts: number,
  { retries = {} }: Pick<ModelOptions, 'retries'>,
): ProviderFailure {
  const { attempts: most, patience } = { ...defaultRetries, ...retries };
  if (error.kind === 'aborted') return { kind: 'aborted' };
  if (shown) return { kind: 'stream' };
  if (isOverflow(error)) return { kind: 'overflow' };
  const { status, retryAfterMs: retryAfter } = error;
  if (!error.retryable || attempts >= most || (retryAfter ?? 0) > patience) return { kind: 'stream' };
  const hint = retryAfter === undefined ? {} : { retryAfter };
  return error.kind === 'provider'
    ? { kind: 'http', status: status ?? 500, ...hint }
    : { kind: 'network', ...hint };
}

/** Ends of a turn that are no failure, whatever was said. */
const fine: ReadonlySet<TurnEnd> = new Set<TurnEnd>(['end_turn', 'stop_sequence', 'unknown']);
/** Ends of a turn that are a failure only if nothing was said. */
const silentFailures: { readonly [end: string]: string } = {
  tool_use: 'the model asked for a tool, but named none',
  max_tokens: 'the model reached its output limit before it said anything',
  content_filter: 'the provider filtered the answer',
  refusal: 'the model refused to answer',
  pause_turn: 'the model paused before it said anything',
};
const failures: { readonly [end: string]: string } = {
  budget: 'the conversation does not fit the context window',
  overflow: 'the conversation is longer than the context window, and could not be made smaller',
  context_window: 'the model reached the end of its context window',
  cancelled: 'the provider cancelled the answer',
  error: 'the provider ended the answer with an error',
};

/** Why a turn failed, in words that are not empty; undefined: it did not fail. */
export function failureText(end: TurnEnd, said: boolean, error: ClientError | undefined): string | undefined {
  if (fine.has(end)) return undefined;
  const silent = Object.hasOwn(silentFailures, end) ? silentFailures[end] : undefined;
  if (silent !== undefined) return said ? undefined : silent;
  const known = Object.hasOwn(failures, end) ? failures[end] : undefined;
  if (error === undefined) return known ?? 'the model request failed';
  const words = error.message.trim() === '' ? error.kind : error.message;
  return known === undefined ? `the model request failed: ${words}` : `${known}: ${words}`;
}
