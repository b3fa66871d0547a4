/**
 * Recordings: requests to a provider with its answers, byte for byte. A script would lose what it has no words for, so a
 * recording keeps the bodies themselves. Request headers are not kept, and credentials are removed from the bodies.
 */
import { clip } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import { dialectOf } from '../../dialects/index.ts';
import type { Dialect } from '../../dialects/shared/dialect.ts';
import { pathOf } from '../../streamer/routes.ts';
import type { LlmRequest } from '../../messages.ts';

/** One request and its answer. */
export interface RecordedExchange {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** The JSON of the request's body; absent: it has none. */
  readonly request?: Json;
  readonly status: number;
  /** The header fields that a client may need. */
  readonly headers: { readonly [name: string]: string };
  /** The body of the answer as text, or as base64 where it is not UTF-8. */
  readonly body?: string;
  readonly base64?: string;
  /**
   * The pieces in which the body came, such as `152/122 150/122`: for each the milliseconds since the one before, and
   * its bytes. Absent: it is played in one piece.
   */
  readonly pieces?: string;
}

/** A recording. */
export interface Recording {
  readonly wireproof: 'recording/1';
  readonly exchanges: readonly RecordedExchange[];
}

/** The largest recording (bytes): a session of a day has some megabytes. */
export const mostBytes: number = 256 << 20;

/** A body as a recording keeps it: text where it is UTF-8. */
export function recordedBody(bytes: Uint8Array): Pick<RecordedExchange, 'body' | 'base64'> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const body = buffer.toString('utf8');
  return Buffer.from(body).equals(buffer) ? { body } : { base64: buffer.toString('base64') };
}

/** A request to be found in a recording. */
export interface Wanted {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body: Json | undefined;
}

/** The dialect whose generations are at a path. */
export const dialectAt = (path: string): Dialect | undefined =>
  Object.values(dialectOf).find(
    ({ paths, pattern }) =>
      paths.some((one) => path.endsWith(one)) || pattern?.test(path.replace(/[?#].*$/, '')) === true,
  );

/** The request of a generation, also of one that the simulated provider would refuse; undefined for another one. */
export function requestOf(path: string, body: Json | undefined): LlmRequest | undefined {
  const read = body === undefined ? undefined : dialectAt(path)?.readRequest(body, {}, path);
  return read?.ok === true ? read.value : read?.error.read;
}

/** A request in a sentence. */
export function sentenceOf({ method, target, body }: Wanted): string {
  const path = pathOf(target);
  const request = requestOf(path, body);
  if (request === undefined) return `${method} ${path}`;
  const { messages } = request;
  return `${method} ${path} with ${messages.length} ${messages.length === 1 ? 'message' : 'messages'}, the last "${clip(messages.at(-1)?.content ?? '', 60)}"`;
}
