/** What a client gets: the head, the units of a stream or one body, and the end. */
import type { Metadata, RoleOutput } from '../../kit/base/index.ts';
import { exactText } from '../../kit/base/index.ts';
import { dialectOf } from '../dialects/index.ts';
import type { WholeResponse } from '../dialects/shared/dialect.ts';
import { frameUnit } from '../dialects/shared/frame.ts';
import { ResponseWrite } from '../dialects/shared/units.ts';
import type { Unit } from '../messages.ts';
import type { GatewayParts, PartContext } from './options.ts';
import type { GatewayOut } from './wire.ts';

export type GatewayOutputs = RoleOutput<GatewayOut>[];

/** Writes one answer to its client. */
export class AnswerAbove {
  readonly #peer: string;
  readonly #parts: GatewayParts;
  readonly #context: PartContext;
  readonly #units: (unit: Unit) => readonly Unit[];
  readonly #framed: (bytes: Uint8Array, unit: Unit) => readonly Uint8Array[];
  readonly #waiting: Unit[] = [];
  #opened = false;

  constructor(peer: string, parts: GatewayParts, context: PartContext) {
    this.#peer = peer;
    this.#parts = parts;
    this.#context = context;
    this.#units = parts.units?.(context) ?? ((unit) => [unit]);
    this.#framed = parts.framed?.(context) ?? ((bytes) => [bytes]);
  }

  /** Whether the head of a stream is written. */
  get opened(): boolean {
    return this.#opened;
  }

  /** The timer that fires when units have waited for long enough. */
  get timer(): string {
    return `${this.#peer} units`;
  }

  /** Writes the head of a stream. */
  open(out: GatewayOutputs): void {
    if (this.#opened) return;
    this.#opened = true;
    const { contentType } = dialectOf[this.#dialect];
    const head = { ':status': '200', 'content-type': contentType, 'cache-control': 'no-cache' };
    out.push({ type: 'headers', peer: this.#peer, metadata: this.#edited(head) });
  }

  /** Writes units of a stream, at once or after they have waited. */
  write(units: readonly Unit[], out: GatewayOutputs): void {
    this.open(out);
    const isFirst = this.#waiting.length === 0;
    this.#waiting.push(...units.flatMap(this.#units));
    const { delay = 0 } = this.#parts;
    if (delay === 0) return this.flush(out);
    if (isFirst && units.length > 0) out.push({ type: 'start_timer', id: this.timer, ms: delay });
  }

  /** Writes the units that wait. */
  flush(out: GatewayOutputs): void {
    const { framing } = dialectOf[this.#dialect];
    for (const unit of this.#waiting) {
      const parts = this.#framed(frameUnit(framing, withDigits(unit), 'lf'), unit);
      for (const [i, bytes] of parts.entries()) {
        const message = new ResponseWrite(bytes, i === parts.length - 1 ? unit : undefined);
        out.push({ type: 'send', peer: this.#peer, message });
      }
    }
    this.#waiting.length = 0;
  }

  /** Writes an answer that is not streamed. */
  respond({ status, headers = {}, body }: WholeResponse, out: GatewayOutputs): void {
    const edit = status === 200 ? this.#parts.body?.(this.#context) : undefined;
    const bytes = Buffer.from(exactText(edit === undefined ? body : edit(body)));
    const metadata = this.#edited({
      ':status': String(status),
      'content-length': String(bytes.length),
      'content-type': 'application/json',
      ...headers,
    });
    out.push({ type: 'headers', peer: this.#peer, metadata });
    out.push({ type: 'send', peer: this.#peer, message: new ResponseWrite(bytes, undefined) });
  }

  /** Ends the answer, in order or with a broken connection. */
  end(inOrder: boolean, out: GatewayOutputs): void {
    this.flush(out);
    const status = inOrder ? { code: 0, message: '' } : { code: 14, message: 'reset' };
    out.push({ type: 'close', peer: this.#peer, status });
  }

  get #dialect(): PartContext['route']['client'] {
    const { client, provider } = this.#context.route;
    return this.#parts.form === 'provider' ? provider : client;
  }

  #edited(head: Metadata): Metadata {
    return this.#parts.head?.(head, this.#context) ?? head;
  }
}

/** A unit with its JSON, which has all digits of its numbers. */
function withDigits(unit: Unit): Unit {
  const { data, json, sse } = unit;
  const isMade = json !== undefined || sse !== undefined || typeof data === 'string';
  return isMade ? unit : { ...unit, json: exactText(data) };
}
