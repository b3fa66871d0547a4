/** Reads the answers of model providers in a trace, whatever its suite is. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { socketDialect } from '../server/asked.ts';
import { textOf } from '../server/words.ts';
import { dialectOfPath } from './paths.ts';
import type { Reading, Traffic } from './traffic.ts';

/** An exchange that is open. */
interface Exchange {
  readonly dialect: string;
  /** The side that asks. */
  readonly asker: string;
  /** The content type of the answer; a socket has none. */
  type: string;
  reading: Reading | undefined;
}

/** Takes the events of a trace into traffic, in order. */
export class TracedAnswers {
  readonly #open = new Map<string, Exchange>();
  readonly #traffic: Traffic;
  readonly #file: string;

  constructor(traffic: Traffic, file: string) {
    this.#traffic = traffic;
    this.#file = file;
  }

  take(event: TraceEvent): void {
    const { stream, kind, from, data } = event;
    const key = `${event.conn} ${stream}`;
    if (kind === 'open') return this.#opened(key, event);
    const exchange = this.#open.get(key);
    if (exchange === undefined) return;
    if (kind === 'end' || kind === 'reset') {
      if (kind === 'end' && from !== exchange.asker && data['code'] === 0) exchange.reading?.end();
      this.#open.delete(key);
    } else if (from === exchange.asker) return;
    else if (kind === 'headers') exchange.type = textOf(data['content-type']);
    else if (kind === 'message') this.#unit(exchange, stream, data);
  }

  #opened(key: string, { data, from }: TraceEvent): void {
    const dialect = socketDialect(data) ?? dialectOfPath(textOf(data[':path']));
    if (dialect !== undefined)
      this.#open.set(key, { dialect, asker: from, type: 'application/x-ndjson', reading: undefined });
  }

  #unit(exchange: Exchange, stream: string, { data, event }: JsonObject): void {
    if (data === undefined) return;
    const { dialect, type } = exchange;
    const streamed = !/^application\/json\b/i.test(type);
    // On a WebSocket, one response follows another.
    if (isObject(data) && data['type'] === 'response.created') {
      exchange.reading?.end();
      exchange.reading = undefined;
    }
    exchange.reading ??= this.#traffic.answer(dialect, streamed, {
      file: this.#file,
      exchange: `stream ${stream}`,
    });
    exchange.reading.take(data, event);
  }
}
