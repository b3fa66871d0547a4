/** One exchange of a recorder or a replay: its request with the whole body, and the answer as its client reads it. */
import { addressText } from '../../../kit/base/index.ts';
import type { JsonObject, Metadata } from '../../../kit/base/index.ts';
import { listenHttp } from '../../../kit/transport/index.ts';
import type { Accept, Link, LinkEvents } from '../../../kit/world/index.ts';

/** A request with its whole body. */
export interface IncomingRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Metadata;
  readonly bytes: Uint8Array;
}

/** The answer to a request. Its sender stops when it is full, and goes on when it has drained. */
export class Answer {
  /** Called when there is room again. */
  drained: () => void = () => {};
  /** Called when its client left, or got the whole answer. */
  gone: () => void = () => {};
  /** Whether its client has left. */
  lost = false;
  #begun = false;
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  /** Whether its status was sent. */
  get begun(): boolean {
    return this.#begun;
  }

  begin(status: number, headers: Metadata): void {
    this.#begun = true;
    this.#link.headers({ ...headers, ':status': String(status) });
  }

  /** Sends a piece of the body. @returns false when there is no room for more */
  send(bytes: Uint8Array): boolean {
    return this.#link.send(bytes);
  }

  end(): void {
    this.#link.close({ code: 0, message: '' });
    this.gone();
  }

  /** Breaks off. */
  reset(): void {
    this.#link.close({ code: 14, message: 'broke off' });
    this.gone();
  }

  /** Answers with JSON, at once. */
  json(status: number, body: unknown, headers: Metadata = {}): void {
    this.begin(status, { 'content-type': 'application/json', ...headers });
    this.#link.send(Buffer.from(JSON.stringify(body)));
    this.end();
  }
}

/** The address of a recorder or a replay. */
export interface Place {
  readonly host?: string;
  readonly port?: number;
  readonly origins?: readonly string[];
}

/** The largest request (bytes), as of the simulated provider. */
const maxReceive = 32 << 20;
/** The most bytes of requests that wait for their answers. */
const mostWaiting = 96 << 20;

/** Listens, and gives each request to `take` once it is whole. */
export async function listenForRequests(
  { host = '127.0.0.1', port = 0, origins }: Place,
  take: (request: IncomingRequest, answer: Answer) => void,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  let waiting = 0;
  const accept: Accept = (link, metadata) =>
    wholeRequest(link, metadata, (request, answer) => {
      const { length } = request.bytes;
      if (waiting + length > mostWaiting) return answer.json(503, busy, { 'retry-after': '1' });
      waiting += length;
      answer.gone = () => {
        waiting -= length;
        answer.gone = () => {};
      };
      take(request, answer);
    });
  const server = await listenHttp({
    host,
    port,
    origins,
    accept,
    maxReceive,
    webSockets: () => false,
    refusal,
  });
  return { url: `http://${addressText({ host, port: server.port })}`, close: () => server.close() };
}

/** An error in the form that clients of most dialects read. */
export const refusal = (message: string): JsonObject => ({
  type: 'error',
  error: { type: 'invalid_request_error', message },
});

const busy = refusal('too many large requests wait for their answers; send this one again later');

/** The events of an exchange whose request is taken when it is whole. */
function wholeRequest(
  link: Link,
  { ':method': method = 'GET', ':path': target = '/', ...rest }: Metadata,
  take: (request: IncomingRequest, answer: Answer) => void,
): LinkEvents {
  const answer = new Answer(link);
  const headers = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith(':')));
  let bytes: Uint8Array = new Uint8Array();
  return {
    headers: () => {},
    ping: () => {},
    message: (body) => void (bytes = body),
    halfClose() {
      take({ method, target, headers, bytes }, answer);
      bytes = new Uint8Array();
    },
    drained: () => answer.drained(),
    ended() {
      answer.lost = true;
      answer.gone();
    },
  };
}
