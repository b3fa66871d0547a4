/** Finds the recorded exchange of a request. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import { historyOf } from '../../streamer/conversations.ts';
import { pathOf } from '../../streamer/routes.ts';
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
