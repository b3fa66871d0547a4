/** Ollama's words: `done_reason` ("stop, length, load, unload, or absent; there is no tool reason") and errors. */
import type { StopReason } from '../../../kit/base/index.ts';
import type { ProviderError } from '../../messages.ts';

/** The `done_reason` for a stop reason: `length` for any limit, `stop` for any other known reason. */
export function doneReason(reason: StopReason): string {
  if (reason === 'max_tokens' || reason === 'context_window') return 'length';
  return reason === 'unknown' ? 'unknown' : 'stop';
}

/** The stop reason of a word; undefined for an unknown word. `stop` also ends a response with calls. */
export function stopReasonOf(word: string, called: boolean): StopReason | undefined {
  if (word === 'length') return 'max_tokens';
  if (word === 'stop') return called ? 'tool_use' : 'end_turn';
  return word === 'load' || word === 'unload' ? 'end_turn' : undefined;
}

const statuses: readonly { readonly type: string; readonly status: number }[] = [
  { type: 'invalid_request', status: 400 },
  { type: 'authentication', status: 401 },
  { type: 'permission', status: 403 },
  { type: 'not_found', status: 404 },
  { type: 'rate_limit', status: 429 },
  { type: 'server', status: 500 },
  // A full queue: "server busy".
  { type: 'overloaded', status: 503 },
  { type: 'context_overflow', status: 400 },
];

/** The HTTP status of an error that comes before the stream: its own, else that of its type. */
export const errorStatus = (error: ProviderError): number =>
  error.status ?? statuses.find((row) => row.type === error.type)?.status ?? 500;

/** The type of an error, by its status: Ollama sends no type. */
export const errorType = (status: number): string | undefined =>
  statuses.find((row) => row.status === status)?.type;
