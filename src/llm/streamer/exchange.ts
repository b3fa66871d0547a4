/**
 * One response in the making: takes beats off a generation, renders them, cuts them as the script wants, and holds
 * where a delay, a barrier or a full carrier says so. Lazy: what nobody waits for any more is never generated.
 */
import type { RoleOutput } from '../../kit/base/index.ts';
import type { Dialect } from '../dialects/shared/dialect.ts';
import { frameUnit } from '../dialects/shared/frame.ts';
import type { FrameLines } from '../dialects/shared/frame.ts';
import type { GenerationStep, GenerationEnd, RenderContext, Renderer, Unit } from '../messages.ts';
import { Sent } from '../dialects/shared/units.ts';

/** A call as far as it was generated. */
export interface GeneratedCall {
  readonly id: string;
  readonly name: string;
  /** The text of its arguments. */
  readonly arguments: string;
  readonly complete: boolean;
}

/** What a response said, as far as it came: what a client's doings are held against. */
export interface Transcript {
  text: string;
  /** The block that is being generated, and how much of its text has been (UTF-16 units). */
  open: Extract<GenerationStep, { do: 'open' }> | undefined;
  length: number;
  /** Tokens of the blocks that are over. */
  tokens: number;
  readonly calls: GeneratedCall[];
  /** Bytes and units that were flushed. */
  bytes: number;
  units: number;
}

/** How the units of an exchange reach its client. */
export interface UnitWriter {
  /** The link of the exchange. */
  readonly peer: string;
  /** Wraps a unit, where several exchanges share a link. */
  readonly wrap: (unit: Unit) => Unit;
  /** Cuts the bytes of a unit into the pieces that are written; undefined: they are written whole. */
  readonly cut: ((bytes: Uint8Array) => Iterable<Uint8Array>) | undefined;
  readonly lines: FrameLines;
  /** Counts tokens. */
  readonly count: (text: string) => number;
}

/** One response in the making. */
export interface StreamExchange {
  /** Names its timer. */
  readonly key: string;
  readonly outlet: UnitWriter;
  readonly dialect: Dialect;
  readonly context: RenderContext;
  /** How it ends: what `context.end` gives. Changed when its client cancels it. */
  readonly ending: { current: GenerationEnd };
  readonly said: Transcript;
  readonly beats: Iterator<GenerationStep>;
  /** Absent where the answer is not streamed: its beats are kept until they are all there. */
  readonly renderer: Renderer | undefined;
  readonly kept: GenerationStep[];
  /** Pieces of a unit that was split: they go out in turns of their own, or the carrier would join them again. */
  readonly pieces: Sent[];
  full: boolean;
  /** What it waits for: its timer, or a barrier's name. */
  waiting: { readonly timer: true } | { readonly barrier: string } | undefined;
  /** When the next beat is due (ms on the host's clock). */
  due: number;
  begun: boolean;
  /** All beats are done. */
  over: boolean;
  /** All has been sent, and how it ended was told. */
  settled: boolean;
  /** What follows the last unit: the end of a body or a channel; nothing, where the transport does not end clean. */
  readonly finish: (out: Outputs) => void;
}

/** An exchange of which is not said how it ends. */
export type Draft = Omit<StreamExchange, 'finish'>;

/** What becomes of the outputs of {@link pump}. */
export type Outputs = RoleOutput<Sent>[];

/** Bytes made in one turn, before others have theirs. */
const turnBytes = 1 << 16;

/** Sends what is due. @returns whether the response is complete, but for its end on the transport */
export function pump(
  exchange: StreamExchange,
  now: number,
  released: ReadonlySet<string>,
  out: Outputs,
): boolean {
  if (exchange.over && exchange.pieces.length === 0) return true;
  const until = exchange.said.bytes + turnBytes;
  if (!exchange.begun) begin(exchange, now, out);
  while (!blocked(exchange, released)) {
    if (exchange.pieces.length > 0) return piece(exchange, out);
    if (exchange.over) return true;
    if (exchange.said.bytes >= until) return pause(exchange, 0, out);
    const next = exchange.beats.next();
    if (next.done === true) {
      finish(exchange, out);
      continue;
    }
    const beat = next.value;
    if (beat.do === 'wait') {
      exchange.due += beat.ms;
      const ms = exchange.due - now;
      if (ms > 0) return pause(exchange, ms, out);
    } else if (beat.do === 'barrier') exchange.waiting = { barrier: beat.name };
    else content(exchange, beat, out);
  }
  return false;
}

function begin(exchange: StreamExchange, now: number, out: Outputs): void {
  exchange.begun = true;
  exchange.due = now;
  for (const unit of exchange.renderer?.begin() ?? []) send(exchange, unit, out);
}

function blocked(exchange: StreamExchange, released: ReadonlySet<string>): boolean {
  const { waiting } = exchange;
  if (waiting !== undefined && 'barrier' in waiting && released.has(waiting.barrier))
    exchange.waiting = undefined;
  return exchange.full || exchange.waiting !== undefined;
}

function pause(exchange: StreamExchange, ms: number, out: Outputs): false {
  exchange.waiting = { timer: true };
  out.push({ type: 'start_timer', id: exchange.key, ms });
  return false;
}

/** Its timer has fired. */
export function resumed(exchange: StreamExchange): void {
  if (exchange.waiting !== undefined && 'timer' in exchange.waiting) exchange.waiting = undefined;
}

function content(
  exchange: StreamExchange,
  beat: Exclude<GenerationStep, { do: 'wait' | 'barrier' }>,
  out: Outputs,
): void {
  note(exchange, beat);
  if (exchange.renderer === undefined) exchange.kept.push(beat);
  else for (const unit of exchange.renderer.beat(beat)) send(exchange, unit, out);
}

/** Keeps what was said: the text of text blocks, and calls as they open and close. */
function note({ said, outlet }: StreamExchange, beat: GenerationStep): void {
  if (beat.do === 'piece') said.length += beat.text.length;
  else if (beat.do === 'open') said.open = beat;
  else if (beat.do === 'close') closed(said, beat.complete, outlet.count);
}

/** Keeps what the open block held; one that its client did not wait for was cut. */
function closed(said: Transcript, complete: boolean, count: UnitWriter['count']): void {
  const { open, length } = said;
  said.open = undefined;
  said.length = 0;
  if (open === undefined) return;
  const { block } = open;
  const text = open.text.slice(0, length);
  if (block.kind === 'text') said.text += text;
  if (block.kind === 'tool_call')
    said.calls.push({ id: block.id, name: block.name, arguments: text, complete });
  said.tokens += count(text);
}

/** No more is generated: what is open stays as it is. */
export const stopped = ({ said, outlet }: StreamExchange): void => closed(said, false, outlet.count);

function finish(exchange: StreamExchange, out: Outputs): void {
  exchange.over = true;
  for (const unit of exchange.renderer?.end() ?? []) send(exchange, unit, out);
}

/** Writes the next piece, and leaves the rest to the next turn. */
function piece(exchange: StreamExchange, out: Outputs): false {
  const message = exchange.pieces.shift();
  if (message !== undefined) out.push({ type: 'send', peer: exchange.outlet.peer, message });
  return pause(exchange, 0, out);
}

/** Its client cancelled it in the dialect's own way: it ends in order, and says so. */
export function cancelled(exchange: StreamExchange, out: Outputs): void {
  const { ending } = exchange;
  stopped(exchange);
  const usage = { ...ending.current.usage, outputTokens: exchange.said.tokens };
  ending.current = { stop: 'cancelled', signal: 'honest', transport: 'clean', usage, cutCall: false };
  if (exchange.begun && !exchange.over) finish(exchange, out);
  const { peer } = exchange.outlet;
  for (const message of exchange.pieces.splice(0)) out.push({ type: 'send', peer, message });
}

function send({ outlet, said, dialect, pieces }: StreamExchange, unit: Unit, out: Outputs): void {
  const { peer, wrap, cut, lines } = outlet;
  const wrapped = wrap(unit);
  const bytes = frameUnit(dialect.framing, wrapped, lines);
  if (bytes.length === 0) return;
  said.units++;
  said.bytes += bytes.length;
  // Messages of a WebSocket arrive whole, however they are written.
  if (cut === undefined || dialect.framing === 'message')
    out.push({ type: 'send', peer, message: new Sent(bytes, wrapped) });
  else {
    const parts = [...cut(bytes)];
    parts.forEach((part, i) => pieces.push(new Sent(part, i === parts.length - 1 ? wrapped : undefined)));
  }
}
