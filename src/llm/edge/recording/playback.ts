/** Finds the recorded exchange of a request, and plays its answer again. */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import { historyOf } from '../../streamer/conversations.ts';
import { pathOf } from '../../streamer/routes.ts';
import { inPair } from '../../dialects/shared/tokenizer.ts';
import type { Answer } from './exchange.ts';
import { passedHeaders } from './forward.ts';
import { playedPieces } from './piece.ts';
import type { Piece, ReplayPacing } from './piece.ts';
import { requestOf } from './recording.ts';
import type { RecordedExchange, Recording, Wanted } from './recording.ts';

/** The exchanges of a recording, each played once, and again where nothing else is left. */
export class Playback {
  readonly #recording: Recording;
  readonly #played = new Set<number>();
  /** The positions of the exchanges with the same key, in their order. */
  readonly #exact = new Map<string, Places>();
  readonly #like = new Map<string, Places>();

  constructor(recording: Recording) {
    this.#recording = recording;
    for (const [i, { method, path, request }] of recording.exchanges.entries()) {
      const { exact, like } = keysOf({ method, target: path, body: request });
      note(this.#exact, exact, i);
      if (like !== undefined) note(this.#like, like, i);
    }
  }

  /**
   * The exchange of a request: with the same body; else, for a generation, with as many answers in its history and the same
   * last message, since programs put dates and paths into their prompts.
   */
  find(wanted: Wanted): RecordedExchange | undefined {
    const { exact, like } = keysOf(wanted);
    const at = this.#next(this.#exact.get(exact) ?? this.#like.get(like ?? ''));
    if (at === undefined) return undefined;
    this.#played.add(at);
    return this.#recording.exchanges[at];
  }

  /** The exchanges that were not played. */
  get unused(): readonly RecordedExchange[] {
    return this.#recording.exchanges.filter((_, i) => !this.#played.has(i));
  }

  /** The first position that was not played, or else the last one. */
  #next(places: Places | undefined): number | undefined {
    if (places === undefined) return undefined;
    const { all } = places;
    // What was played stays played: the search goes on where the last one ended.
    while (this.#played.has(all[places.next] ?? -1)) places.next++;
    return all[places.next] ?? all.at(-1);
  }
}

/** The positions of exchanges, and the index of the first one that may not have been played. */
interface Places {
  readonly all: number[];
  next: number;
}

function note(places: Map<string, Places>, key: string, at: number): void {
  const known = places.get(key);
  if (known === undefined) places.set(key, { all: [at], next: 0 });
  else known.all.push(at);
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
  hasKeys(value) ? inOrder(value) : (JSON.stringify(value) ?? '');

const hasKeys = (value: Json | undefined): boolean =>
  isArray(value) ? value.some(hasKeys) : isObject(value);

function inOrder(value: Json | undefined): string {
  if (isArray(value)) return `[${value.map(inOrder).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? '';
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${inOrder(value[name])}`).join(',')}}`;
}

/** Sends a recorded answer in its pieces, as its client reads. */
export function playAgain(exchange: RecordedExchange, answer: Answer, pacing: ReplayPacing = {}): void {
  const { status } = exchange;
  const isBodiless = status === 204 || status === 304;
  const size = lengthOf(exchange);
  const { cut = size } = pacing;
  // An answer that came in pieces had no length.
  const framed = exchange.pieces?.includes(' ') === true ? {} : { 'content-length': String(size) };
  answer.begin(status, { ...passedHeaders(exchange.headers), ...(isBodiless ? {} : framed) });
  const writes = writesOf(slicesOf(exchange), playedPieces(exchange.pieces ?? '', size, pacing));
  const finish = (): void => (cut < size ? answer.reset() : answer.end());
  pump(answer, writes, finish);
}

/** Writes what is due, waits for pauses, and stops while the client does not read. */
function pump(answer: Answer, writes: Iterator<Write, undefined>, finish: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  let next: IteratorResult<Write, undefined> | undefined;
  const send = (): void => {
    timer = undefined;
    for (;;) {
      const write = next ?? writes.next();
      next = undefined;
      if (write.done === true) return finish();
      if (write.value.pause > 0) {
        next = { value: { ...write.value, pause: 0 } };
        timer = setTimeout(send, write.value.pause);
        return;
      }
      if (!answer.send(write.value.bytes)) return;
    }
  };
  answer.drained = () => {
    if (timer === undefined) send();
  };
  const { gone } = answer;
  answer.gone = () => {
    clearTimeout(timer);
    gone();
  };
  send();
}

/** The length of a recorded body (bytes). */
const lengthOf = ({ body = '', base64 }: RecordedExchange): number =>
  base64 === undefined ? Buffer.byteLength(body) : Buffer.byteLength(base64, 'base64');

/** The size of a slice (UTF-16 units): a multiple of 4, since four characters of base64 are three bytes. */
const slice = 1 << 14;

/** The bytes of a body, slice by slice: many clients may read a large answer slowly. */
function* slicesOf({ body = '', base64 }: RecordedExchange): Generator<Uint8Array, undefined> {
  const text = base64 ?? body;
  for (let from = 0; from < text.length;) {
    const end = from + slice;
    const to = base64 === undefined && inPair(text, end) ? end - 1 : end;
    yield Buffer.from(text.slice(from, to), base64 === undefined ? 'utf8' : 'base64');
    from = to;
  }
  return undefined;
}

/** Bytes to send after a pause (ms). */
interface Write {
  readonly pause: number;
  readonly bytes: Uint8Array;
}

/** Cuts slices into pieces. A piece that spans slices is several writes. */
function* writesOf(
  slices: Iterator<Uint8Array, undefined>,
  pieces: Iterable<Piece>,
): Generator<Write, undefined> {
  let rest: Uint8Array = new Uint8Array();
  for (const { pause, length } of pieces) {
    for (let left = length; left > 0;) {
      if (rest.length === 0) rest = slices.next().value ?? new Uint8Array();
      if (rest.length === 0) return undefined;
      const bytes = rest.subarray(0, left);
      yield { pause: left === length ? pause : 0, bytes };
      rest = rest.subarray(bytes.length);
      left -= bytes.length;
    }
  }
  return undefined;
}
