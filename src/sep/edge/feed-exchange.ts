/** One request to a feed server, and its answer. */
import { clip, exactText, mostJsonLevels, nestsDeeper } from '../../kit/base/index.ts';
import type { JsonObject, Metadata } from '../../kit/base/index.ts';
import type { Link, LinkEvents } from '../../kit/world/index.ts';
import { mostAnswer } from './feed-contract.ts';
import type { FeedRefusal } from './feed-guard.ts';
import { largeAnswer } from './feed-places.ts';
import type { FeedPlaces, UnreadAnswers } from './feed-places.ts';
import { feedRequest, paramsIn } from './feed-request.ts';
import type { FeedRequest } from './feed-request.ts';
import type { FeedAnswer, ServedFeed, ServedFeeds, ServedOutcome } from './served-feeds.ts';

/** What all exchanges of a server share. */
export interface ExchangeSettings {
  readonly feeds: ServedFeeds;
  readonly guard: (headers: Metadata) => FeedRefusal | undefined;
  readonly places: FeedPlaces;
  readonly unread: UnreadAnswers;
  /** Of a fetch (ms). */
  readonly timeout: number;
  readonly onAnswer: (answer: FeedAnswer) => void;
}

export class FeedExchange implements LinkEvents {
  readonly #settings: ExchangeSettings;
  readonly #link: Link;
  readonly #head: Metadata;
  readonly #began = performance.now();
  readonly #abort = new AbortController();
  #request: FeedRequest | undefined;
  #body: Uint8Array = new Uint8Array();
  #timer: NodeJS.Timeout | undefined;
  #isAnswered = false;
  /** The memory of its answer (bytes). */
  #unread = 0;

  constructor(settings: ExchangeSettings, link: Link, head: Metadata) {
    this.#settings = settings;
    this.#link = link;
    this.#head = head;
    this.#open();
  }

  headers(): void {}
  ping(): void {}

  /** The whole body. */
  message(bytes: Uint8Array): void {
    this.#body = bytes;
  }

  halfClose(): void {
    const request = this.#request;
    if (this.#isAnswered || request === undefined) return;
    if (request.asks === 'list') return this.#answer(200, { feeds: this.#settings.feeds.list().map(listed) });
    const params = request.takesParams ? paramsIn(this.#body) : { ok: true as const, value: {} };
    this.#body = new Uint8Array();
    if (params.ok) this.#fetch(request.id, params.value);
    else this.#refuse({ status: 400, error: params.error });
  }

  /** The client has left. */
  ended(): void {
    this.#isAnswered = true;
    this.#release();
    this.#abort.abort();
  }

  /** A large answer has left. */
  drained(): void {
    if (!this.#isAnswered) return;
    this.#link.close({ code: 0, message: '' });
    this.#release();
  }

  /** Refuses at once what its head shows to be wrong. The server drops the body of an answered request. */
  #open(): void {
    // The contract has no WebSockets.
    if (this.#head[':carrier'] === 'ws') return this.#link.close({ code: 1, message: '' });
    const refusal = this.#settings.guard(this.#head);
    if (refusal !== undefined) return this.#refuse(refusal);
    const request = feedRequest(this.#head);
    if (request.ok) this.#request = request.value;
    else this.#refuse(request.error);
  }

  #fetch(id: string, params: JsonObject): void {
    const { feeds, places, timeout } = this.#settings;
    const name = JSON.stringify(clip(id, 200));
    if (!feeds.list().some((feed) => feed.id === id))
      return this.#refuse({ status: 404, error: `there is no feed ${name}; GET /feeds lists them` });
    if (!places.take())
      return this.#refuse(busy(`${places.most} values are being fetched, which is the most`));
    this.#timer = setTimeout(() => {
      this.#refuse({
        status: 504,
        error: `the source of the feed ${name} gave no value within ${timeout} ms`,
      });
      this.#abort.abort();
    }, timeout);
    void this.#inPlace(id, name, params);
  }

  /** Fetches, and gives the place back. */
  async #inPlace(id: string, name: string, params: JsonObject): Promise<void> {
    try {
      const outcome = await this.#outcome(id, name, params);
      if ('error' in outcome) this.#refuse({ status: 502, error: outcome.error });
      else this.#give(id, name, outcome);
    } finally {
      this.#settings.places.giveBack();
    }
  }

  /** An exception may show secrets of this machine: it stays here. */
  async #outcome(id: string, name: string, params: JsonObject): Promise<ServedOutcome> {
    try {
      return await this.#settings.feeds.fetch(id, params, this.#abort.signal);
    } catch {
      return { error: `the source of the feed ${name} failed` };
    }
  }

  #give(id: string, name: string, outcome: Extract<ServedOutcome, { readonly value: unknown }>): void {
    const text = answerText(id, outcome);
    if (text === undefined) {
      const error = `the value of the feed ${name}: expected JSON of at most ${mostJsonLevels - 1} levels; came something else`;
      return this.#refuse({ status: 502, error });
    }
    const size = Buffer.byteLength(text);
    if (size > mostAnswer) {
      const error = `the value of the feed ${name}: expected an answer of at most ${mostAnswer} bytes; came ${size}`;
      return this.#refuse({ status: 502, error });
    }
    if (size < largeAnswer || this.#isAnswered) return this.#send(200, text);
    if (!this.#settings.unread.take(size))
      return this.#refuse(busy('too many large answers wait for their readers'));
    this.#unread = size;
    this.#send(200, text);
  }

  #refuse({ status, error, headers }: FeedRefusal): void {
    this.#send(status, JSON.stringify({ error }), headers, error);
  }

  #answer(status: number, body: object): void {
    this.#send(status, JSON.stringify(body));
  }

  #send(status: number, text: string, headers: Metadata = {}, error?: string): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    clearTimeout(this.#timer);
    const bytes = Buffer.from(`${text}\n`);
    this.#link.headers({
      ':status': String(status),
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(bytes.length),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    });
    // A large answer keeps its memory until its client has read it.
    if (this.#link.send(bytes)) this.drained();
    const { ':method': method = '', ':path': path = '' } = this.#head;
    this.#settings.onAnswer({
      method: clip(method, 20),
      path: clip(path.split('?', 1)[0] ?? '', 200),
      status,
      ms: performance.now() - this.#began,
      ...(error === undefined ? {} : { error }),
    });
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#settings.unread.giveBack(this.#unread);
    this.#unread = 0;
  }
}

const busy = (why: string): FeedRefusal => ({
  status: 503,
  error: `${why}; ask again later`,
  headers: { 'retry-after': '1' },
});

/** A feed as the contract has it. */
const listed = ({ id, trigger, interval, cacheTtl, stale = false }: ServedFeed): JsonObject => ({
  id,
  trigger,
  ...(interval === undefined ? {} : { interval }),
  ...(cacheTtl === undefined ? {} : { cache_ttl: cacheTtl }),
  stale,
});

/** The body of an answer; undefined for a value that is no JSON, or is too deep for a client. */
function answerText(
  id: string,
  { value, at = Date.now(), stale = false }: Extract<ServedOutcome, { readonly value: unknown }>,
): string | undefined {
  try {
    const text = exactText(value) as string | undefined;
    if (text === undefined || nestsDeeper(text, mostJsonLevels - 1)) return undefined;
    const time = JSON.stringify(new Date(at).toISOString());
    const more = `"at":${time}${stale ? ',"stale":true' : ''}`;
    return `{"id":${JSON.stringify(id)},"value":${text},${more}}`;
  } catch {
    return undefined;
  }
}
