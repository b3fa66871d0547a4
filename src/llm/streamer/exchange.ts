/**
 * One response: takes steps off a generation, renders them, writes them as the script wants, and holds at a delay, a
 * barrier or a full carrier. Lazy: after the client left, nothing more is generated.
 */
import type { RoleOutput } from '../../kit/base/index.ts';
import type { Face } from './faces/face.ts';
import { frameText, frameUnit } from '../dialects/shared/frame.ts';
import { unitsOfStep } from '../dialects/shared/render.ts';
import { ResponseWrite } from '../dialects/shared/units.ts';
import { writes } from '../dialects/shared/utf8.ts';
import type { ScriptTurn } from '../script/script.ts';
import { JoinedUnits } from './joined-units.ts';
import type {
  GeneratedBlock,
  Generation,
  GenerationEnd,
  GenerationStep,
  RenderContext,
  Renderer,
  Unit,
} from '../messages.ts';

/** The largest message (bytes) of which a trace keeps only the bytes. */
const keptAsBytes = 1 << 15;

export type Outputs = RoleOutput<ResponseWrite>[];

/** The parts of an exchange. */
export interface ExchangeOptions {
  /** Names the exchange, and its timer. */
  readonly key: string;
  /** The link that carries it. */
  readonly peer: string;
  readonly dialect: Face;
  /** The number of the request, from 1. */
  readonly number: number;
  /** The turn that answers. */
  readonly turn: ScriptTurn;
  readonly generation: Generation;
  /** The context for renderers. Its end changes when the client cancels. */
  readonly context: RenderContext & { end: GenerationEnd };
  /** Whether the units of one turn of the host are joined to one write, which shows no unit. */
  readonly joins: boolean;
  /** Wraps a unit, where several exchanges share a link. */
  readonly wrap?: (unit: Unit) => Unit;
  /** Ends the response after the last unit: with a whole body, or the end of a body or a channel. */
  readonly finish: (exchange: StreamExchange, out: Outputs) => void;
}

/** Bytes that are written in one turn of the host, before other exchanges have theirs. Larger buffers cost collections. */
const turnBytes = 1 << 15;

/** One response. */
export class StreamExchange {
  readonly options: ExchangeOptions;
  /** Whether the carrier has no room. */
  full = false;
  /** Whether everything is sent, and the end was reported. */
  settled = false;
  /** Bytes and units that were written. */
  bytes = 0;
  units = 0;
  readonly #steps: Iterator<GenerationStep>;
  /** Absent where the answer is not streamed. */
  readonly #renderer: Renderer | undefined;
  /** Whether units are joined. A message of a WebSocket stays alone; where others are joined, a trace has only its bytes. */
  readonly #joins: boolean;
  /** Whether the text of a piece can be made without its unit. */
  readonly #makesText: boolean;
  readonly #blocks: GeneratedBlock[] = [];
  #open: GeneratedBlock | undefined;
  /** How much of the open block's text was sent (UTF-16 units). */
  #length = 0;
  /** Pieces of a split unit. Each goes out in a turn of its own, or the carrier would join them again. */
  readonly #pieces: ResponseWrite[] = [];
  readonly #joined: JoinedUnits;
  #waiting: { readonly timer: true } | { readonly barrier: string } | undefined;
  /** When the next step is due (ms on the host's clock). */
  #due = 0;
  #begun = false;
  /** Whether all steps are done. */
  #over = false;

  constructor(options: ExchangeOptions) {
    const { context, dialect, generation } = options;
    this.options = options;
    this.#steps = generation.steps[Symbol.iterator]();
    this.#renderer = context.request.stream ? dialect.renderer(context) : undefined;
    const { lines, split } = options.turn;
    this.#joined = new JoinedUnits(dialect.framing);
    this.#joins = options.joins && (split === undefined || dialect.framing === 'message');
    this.#makesText = this.#joins && dialect.framing === 'sse' && lines === 'lf';
  }

  /** The blocks as far as they were sent. */
  get blocks(): readonly GeneratedBlock[] {
    if (this.#open === undefined) return this.#blocks;
    return [
      ...this.#blocks,
      { ...this.#open, text: this.#open.text.slice(0, this.#length), complete: false },
    ];
  }

  /** Sends what is due. @returns whether the response is complete, but for its end on the transport */
  pump(now: number, released: ReadonlySet<string>, out: Outputs): boolean {
    const complete = this.#run(now, released, out);
    this.#flush(out);
    return complete;
  }

  #run(now: number, released: ReadonlySet<string>, out: Outputs): boolean {
    if (this.#over && this.#pieces.length === 0) return true;
    const until = this.bytes + turnBytes;
    if (!this.#begun) this.#begin(now, out);
    while (!this.#isBlocked(released)) {
      if (this.#pieces.length > 0) return this.#piece(out);
      if (this.#over) return true;
      if (this.bytes + this.#joined.length >= until) return this.#pause(0, out);
      const next = this.#steps.next();
      if (next.done === true) this.#finish(out);
      else if (next.value.do === 'wait') {
        this.#due += next.value.ms;
        const ms = this.#due - now;
        if (ms > 0) return this.#pause(ms, out);
      } else if (next.value.do === 'barrier') this.#waiting = { barrier: next.value.name };
      else this.#content(next.value, out);
    }
    return false;
  }

  /** Its timer has fired. */
  resume(): void {
    if (this.#waiting !== undefined && 'timer' in this.#waiting) this.#waiting = undefined;
  }

  /**
   * Its client cancelled it in the dialect's own way, after `outputTokens` tokens: it ends in order, with that
   * reason.
   */
  cancel(outputTokens: number, out: Outputs): void {
    const { context, peer } = this.options;
    const usage = { ...context.end.usage, outputTokens };
    context.end = { stop: 'cancelled', signal: 'honest', transport: 'clean', usage, cutCall: false };
    if (this.#begun && !this.#over) this.#finish(out);
    this.#flush(out);
    for (const message of this.#pieces.splice(0)) out.push({ type: 'send', peer, message });
  }

  #flush(out: Outputs): void {
    const message = this.#joined.take();
    if (message === undefined) return;
    this.bytes += message.bytes().length;
    out.push({ type: 'send', peer: this.options.peer, message });
  }

  #begin(now: number, out: Outputs): void {
    this.#begun = true;
    this.#due = now;
    for (const unit of this.#renderer?.begin() ?? []) this.#send(unit, out);
  }

  #isBlocked(released: ReadonlySet<string>): boolean {
    const waiting = this.#waiting;
    if (waiting !== undefined && 'barrier' in waiting && released.has(waiting.barrier))
      this.#waiting = undefined;
    return this.full || this.#waiting !== undefined;
  }

  #pause(ms: number, out: Outputs): false {
    this.#waiting = { timer: true };
    out.push({ type: 'start_timer', id: this.options.key, ms });
    return false;
  }

  #content(step: GenerationStep, out: Outputs): void {
    if (step.do === 'piece') this.#length += step.text.length;
    else if (step.do === 'open') this.#open = step.block;
    else if (step.do === 'close') this.#close(step.block);
    if (this.#renderer === undefined) return;
    if (step.do === 'piece' && this.#makesText && this.#renderer.pieceText !== undefined) {
      const text = this.#renderer.pieceText(step.text, step.block);
      if (text === '') return;
      this.units++;
      this.#joined.text(text);
      return;
    }
    for (const unit of unitsOfStep(step, this.#renderer, this.options.dialect.ping)) this.#send(unit, out);
  }

  #close(block: GeneratedBlock): void {
    this.#blocks.push(block);
    this.#open = undefined;
    this.#length = 0;
  }

  #finish(out: Outputs): void {
    this.#over = true;
    for (const unit of this.#renderer?.end() ?? []) this.#send(unit, out);
  }

  /** Writes the next piece, and leaves the rest to the next turn. */
  #piece(out: Outputs): false {
    const message = this.#pieces.shift();
    if (message !== undefined) out.push({ type: 'send', peer: this.options.peer, message });
    return this.#pause(0, out);
  }

  #send(unit: Unit, out: Outputs): void {
    const {
      peer,
      wrap,
      turn: { lines, split },
      dialect: { framing },
    } = this.options;
    // Only SSE has comments.
    if (unit.comment === true && framing !== 'sse') return;
    this.units++;
    if (this.#joins && framing !== 'message' && framing !== 'eventstream')
      return this.#joined.text(frameText(framing, unit, lines));
    const whole = wrap === undefined ? unit : wrap(unit);
    const bytes = frameUnit(framing, whole, lines);
    // The trace shows a message with a wrong checksum itself, because nobody can read it from its bytes.
    if (this.#joins && framing === 'eventstream' && unit.wrong === undefined)
      return this.#joined.bytes(bytes);
    this.#flush(out);
    this.bytes += bytes.length;
    // Messages of a WebSocket arrive whole, however they are written.
    if (split === undefined || framing === 'message')
      out.push({ type: 'send', peer, message: this.#alone(bytes, whole) });
    else {
      const parts = [...writes(bytes, split)];
      parts.forEach((part, i) =>
        this.#pieces.push(new ResponseWrite(part, i === parts.length - 1 ? whole : undefined)),
      );
    }
  }

  #alone(bytes: Uint8Array, unit: Unit): ResponseWrite {
    const { framing } = this.options.dialect;
    if (!this.#joins || framing !== 'message' || bytes.length > keptAsBytes)
      return new ResponseWrite(bytes, unit);
    return new ResponseWrite(bytes, undefined, { framing, units: 1 });
  }
}
