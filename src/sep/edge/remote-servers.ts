/** The feed servers that may be asked, and the request for a remote feed. */
import { clip, exactText, inWords, ok, refuse, WireproofError } from '../../kit/base/index.ts';
import type { Metadata, Result } from '../../kit/base/index.ts';
import { isLoopback } from '../../kit/transport/index.ts';
import type { FeedSource } from '../feeds/feed.ts';
import { feedPath, isToken, mostRequest } from './feed-contract.ts';

/** Which servers may be asked, and their tokens. */
export interface RemoteServerOptions {
  /**
   * Origins that may be asked, such as `https://feeds.example`. Absent: those of this machine. A model can add a feed, and
   * must not choose where requests and tokens go.
   */
  readonly origins?: readonly string[];
  /** The bearer token of all these servers, or one of each origin. */
  readonly token?: string | { readonly [origin: string]: string };
}

/** A request for a remote feed. */
export interface RemoteCall {
  readonly id: string;
  /** `:url`, `:method` and headers. */
  readonly metadata: Metadata;
  readonly body: string | undefined;
  /** No sentence shows it. */
  readonly token: string | undefined;
  /** The URL for sentences. */
  readonly where: string;
}

export class RemoteServers {
  readonly #origins: ReadonlySet<string> | undefined;
  readonly #tokens: ReadonlyMap<string, string>;
  readonly #token: string | undefined;

  /** @throws WireproofError 'usage' for a token that no header can carry, or an origin that is no URL */
  constructor({ origins, token }: RemoteServerOptions) {
    this.#origins = origins === undefined ? undefined : new Set(origins.map(originOf));
    const byOrigin = typeof token === 'string' ? [] : Object.entries(token ?? {});
    this.#tokens = new Map(byOrigin.map(([origin, one]) => [originOf(origin), one]));
    this.#token = typeof token === 'string' ? token : undefined;
    const all = [...this.#tokens.values(), ...(this.#token === undefined ? [] : [this.#token])];
    if (!all.every(isToken))
      throw new WireproofError(
        'usage',
        'the token for a feed server: expected visible ASCII characters, and no blank; came others, or an empty text',
      );
  }

  /** The request for a source; or a sentence. */
  callOf({ type, name, url = '', params }: FeedSource): Result<RemoteCall, string> {
    if (type !== 'remote') return refuse(`expected a source of the type remote; came ${inWords(type)}`);
    const base = this.#baseOf(url);
    if (!base.ok) return base;
    const path = feedPath(name);
    if (path === undefined)
      return refuse(`the name of a remote feed: expected its id; came ${inWords(name)}`);
    const where = `${base.value.origin}${base.value.pathname.replace(/\/$/, '')}${path}`;
    const hasParams = Object.keys(params).length > 0;
    const body = hasParams ? bodyOf(params) : ok(undefined);
    if (!body.ok) return body;
    const token = this.#token ?? this.#tokens.get(base.value.origin);
    const metadata = {
      ':url': where,
      ':method': hasParams ? 'POST' : 'GET',
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body.value === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body.value)) }),
    };
    return ok({ id: name, metadata, body: body.value, token, where: clip(where, 200) });
  }

  /** A wrong URL may have secrets: a sentence shows its origin at most. */
  #baseOf(text: string): Result<URL, string> {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
      return refuse(
        'the url of a remote feed: expected http://HOST:PORT or https://HOST:PORT; came something else',
      );
    const { origin, username, password, search, hash, hostname } = url;
    if (username !== '' || password !== '' || search !== '' || hash !== '')
      return refuse(
        `the url of a remote feed at ${origin}: expected no user, no query and no fragment; a token is given to the client`,
      );
    const isAllowed = this.#origins === undefined ? isLoopback(hostname) : this.#origins.has(origin);
    if (isAllowed) return ok(url);
    const allowed =
      this.#origins === undefined ? 'a server of this machine' : `one of ${[...this.#origins].join(', ')}`;
    return refuse(
      `the url of a remote feed: expected ${allowed}; came ${origin}. If it is meant, allow that origin`,
    );
  }
}

/** The origin of a URL. @throws WireproofError 'usage' for another text */
function originOf(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return new URL(text).origin;
  throw new WireproofError(
    'usage',
    'an origin of feed servers: expected http://HOST:PORT or https://HOST:PORT; came something else',
  );
}

/** The body of a request with parameters. */
function bodyOf(params: FeedSource['params']): Result<string, string> {
  try {
    const body = exactText({ params });
    if (Buffer.byteLength(body) <= mostRequest) return ok(body);
  } catch {
    // Too deep, or no JSON.
  }
  return refuse(
    `the parameters of a remote feed: expected JSON of at most ${mostRequest} bytes; came something else`,
  );
}
