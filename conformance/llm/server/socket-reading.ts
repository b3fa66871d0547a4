/** What the readers of WebSockets have in common: who an event is from, and how the connection ends. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { Moment } from '../../../src/kit/judge/index.ts';
import { Facts } from './answer.ts';
import type { Fact } from './answer.ts';
import type { ExchangeReader } from './exchange.ts';

/** Reads one WebSocket. A dialect adds the meaning of its messages. */
export abstract class SocketReading implements ExchangeReader {
  waiting: Moment | undefined;
  /** The kit ends this connection. */
  readonly finished = undefined;
  over = false;
  protected readonly facts: Facts = new Facts();

  take(event: TraceEvent): readonly Fact[] {
    if (event.from !== 'target') this.client(event);
    else if (event.kind === 'headers') this.head(event.data[':status']);
    else if (event.kind === 'message') this.server(event.data['data']);
    else if (event.kind === 'undecodable') this.garbled(event.note ?? 'no message');
    else if (event.kind === 'end' || event.kind === 'reset') this.gone(event.kind === 'end');
    return this.facts.take();
  }

  /** The kit does something. */
  protected abstract client(event: TraceEvent): void;

  /** The server sends a message. */
  protected abstract server(data: unknown): void;

  /** The server ends the connection, in order or not. */
  protected abstract gone(inOrder: boolean): void;

  /** The server answers the upgrade with a status. */
  protected head(_status: unknown): void {}

  /** The server sends a message that nobody can read. */
  protected garbled(note: string): void {
    this.facts.violated('LLM-S01', note);
  }
}
