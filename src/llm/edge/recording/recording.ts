/**
 * Recordings: requests to a provider with its answers, byte for byte. A script would lose what it has no words for, so a
 * recording keeps the bodies themselves. Request headers are not kept, and credentials are removed from the bodies.
 */
import { writeFileSync } from 'node:fs';
import { WireproofError, clip, isArray, isObject, jsonOf } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import { readUserFile } from '../../../kit/spec/user-file.ts';
import { dialectOf } from '../../dialects/index.ts';
import type { Dialect } from '../../dialects/shared/dialect.ts';
import { historyOf } from '../../streamer/conversations.ts';
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
}

/** A recording. */
export interface Recording {
  readonly wireproof: 'recording/1';
  readonly exchanges: readonly RecordedExchange[];
}

/** The largest recording (bytes): a session of a day has some megabytes. */
const mostBytes = 256 << 20;

/**
 * Reads a recording.
 *
 * @throws WireproofError 'usage' when the file is none
 */
export function readRecording(file: string): Recording {
  let value: unknown;
  try {
    value = jsonOf(readUserFile(file, { kind: 'a recording', most: mostBytes }));
  } catch (error) {
    if (error instanceof WireproofError) throw error;
    throw new WireproofError('usage', `${file}: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
  if (isObject(value) && value['wireproof'] === 'recording/1' && isArray(value['exchanges'] as Json)) {
    const recording = value as unknown as Recording;
    const wrong = recording.exchanges.findIndex((one) => !isExchange(one));
    if (wrong < 0) return recording;
    throw new WireproofError(
      'usage',
      `${file}: exchanges[${wrong}]: expected method, path, status and headers`,
    );
  }
  throw new WireproofError(
    'usage',
    `${file}: expected a recording ("wireproof": "recording/1"), as --record-from writes it; --script plays scripts`,
  );
}

/** Whether a file begins as a recording does. */
export function isRecording(file: string): boolean {
  try {
    return /^\s*\{\s*"wireproof":\s*"recording\//.test(
      readUserFile(file, { kind: 'a recording', most: mostBytes }).slice(0, 200),
    );
  } catch {
    return false;
  }
}

const isExchange = (one: unknown): boolean =>
  isObject(one) &&
  typeof one['method'] === 'string' &&
  typeof one['path'] === 'string' &&
  typeof one['status'] === 'number' &&
  isObject(one['headers']);

/** Writes a recording. @throws WireproofError 'environment' when the file cannot be written */
export function writeRecording(file: string, exchanges: readonly RecordedExchange[]): void {
  const recording: Recording = { wireproof: 'recording/1', exchanges };
  try {
    writeFileSync(file, `${JSON.stringify(recording, null, 1)}\n`);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unwritable';
    throw new WireproofError('environment', `cannot write ${file}: ${why}`);
  }
}

/** The bytes of a recorded answer. */
export const bodyOf = ({ body = '', base64 }: RecordedExchange): Uint8Array =>
  base64 === undefined ? Buffer.from(body) : Buffer.from(base64, 'base64');

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

/** The exchanges of a recording, each played once, and again where nothing else is left. */
export class Playback {
  readonly #exchanges: readonly { readonly exact: string; readonly like: string | undefined }[];
  readonly #recording: Recording;
  readonly #played = new Set<number>();

  constructor(recording: Recording) {
    this.#recording = recording;
    this.#exchanges = recording.exchanges.map(({ method, path, request }) =>
      keysOf({ method, target: path, body: request }),
    );
  }

  /**
   * The exchange of a request: with the same body; else, for a generation, with as many answers in its history and the same
   * last message, since programs put dates and paths into their prompts.
   */
  find(wanted: Wanted): RecordedExchange | undefined {
    const { exact, like } = keysOf(wanted);
    const at =
      this.#first((keys) => keys.exact === exact) ??
      (like === undefined ? undefined : this.#first((keys) => keys.like === like));
    if (at === undefined) return undefined;
    this.#played.add(at);
    return this.#recording.exchanges[at];
  }

  /** The exchanges that were not played. */
  get unused(): readonly RecordedExchange[] {
    return this.#recording.exchanges.filter((_, i) => !this.#played.has(i));
  }

  #first(
    fits: (keys: { readonly exact: string; readonly like: string | undefined }) => boolean,
  ): number | undefined {
    const fresh = this.#exchanges.findIndex((keys, i) => !this.#played.has(i) && fits(keys));
    const at = fresh >= 0 ? fresh : this.#exchanges.findLastIndex(fits);
    return at < 0 ? undefined : at;
  }
}

function keysOf({ method, target, body }: Wanted): {
  readonly exact: string;
  readonly like: string | undefined;
} {
  const path = pathOf(target);
  const at = `${method} ${path}`;
  const request = requestOf(path, body);
  const last = request?.messages.at(-1);
  const like =
    request === undefined
      ? undefined
      : JSON.stringify([
          at,
          request.stream,
          historyOf(request).answers,
          last?.content,
          last?.toolResults?.map(({ content }) => content),
        ]);
  return { exact: `${at} ${canonical(body)}`, like };
}

/** JSON with the keys of objects in order. */
const canonical = (value: Json | undefined): string =>
  JSON.stringify(value, (_, at: unknown) =>
    isObject(at) ? Object.fromEntries(Object.entries(at).toSorted(([a], [b]) => (a < b ? -1 : 1))) : at,
  ) ?? '';

/** The dialect whose generations are at a path. */
export const dialectAt = (path: string): Dialect | undefined =>
  Object.values(dialectOf).find(({ paths }) => paths.some((one) => path.endsWith(one)));

function requestOf(path: string, body: Json | undefined): LlmRequest | undefined {
  const read = body === undefined ? undefined : dialectAt(path)?.readRequest(body, {}, path);
  return read?.ok === true ? read.value : undefined;
}

/** A request in a sentence. */
export function sentenceOf({ method, target, body }: Wanted): string {
  const path = pathOf(target);
  const request = requestOf(path, body);
  if (request === undefined) return `${method} ${path}`;
  const { messages } = request;
  return `${method} ${path} with ${messages.length} ${messages.length === 1 ? 'message' : 'messages'}, the last "${clip(messages.at(-1)?.content ?? '', 60)}"`;
}
