/** Finds the recorded exchange of a request, and plays its answer again. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import { historyOf } from '../../streamer/conversations.ts';
import { pathOf } from '../../streamer/routes.ts';
import { inPair } from '../../streamer/tokenizer.ts';
import type { Answer } from './exchange.ts';
import { passedHeaders } from './forward.ts';
import { requestOf } from './recording.ts';
import type { RecordedExchange, Recording, Wanted } from './recording.ts';

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

/** The size of a slice (UTF-16 units): a multiple of 4, since four characters of base64 are three bytes. */
const slice = 1 << 14;

/** Sends a recorded answer, slice by slice, as its client reads. */
export function playAgain(exchange: RecordedExchange, answer: Answer): void {
  const { status } = exchange;
  const isBodiless = status === 204 || status === 304;
  answer.begin(status, {
    ...passedHeaders(exchange.headers),
    ...(isBodiless ? {} : { 'content-length': String(lengthOf(exchange)) }),
  });
  const slices = slicesOf(exchange);
  const pump = (): void => {
    for (;;) {
      const next = slices.next();
      if (next.done === true) return answer.end();
      if (!answer.send(next.value)) return;
    }
  };
  answer.drained = pump;
  pump();
}

/** The length of a recorded body (bytes). */
const lengthOf = ({ body = '', base64 }: RecordedExchange): number =>
  base64 === undefined ? Buffer.byteLength(body) : Buffer.byteLength(base64, 'base64');

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
