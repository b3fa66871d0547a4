/**
 * One request of a client and its answer: the attempts below, and what is written above. Before the answer has begun, a
 * failure is a status; after that it is an error of the dialect, or a broken connection.
 */
import type { Json, Metadata } from '../../kit/base/index.ts';
import { joinUrl } from '../dialects/shared/join-url.ts';
import { dialectOf } from '../dialects/index.ts';
import type { ErrorResponse, WholeResponse } from '../dialects/shared/dialect.ts';
import type { ProviderError, Unit } from '../messages.ts';
import { AnswerAbove } from './above.ts';
import type { GatewayOutputs } from './above.ts';
import { AnswerBelow } from './below.ts';
import { isPreliminary, isStop } from './answer/piece.ts';
import type { AnswerPiece, AnswerUnit } from './answer/piece.ts';
import { nextAttempt, refusal, unsaid } from './failure.ts';
import { relays } from './options.ts';
import type { ExchangeOptions, GatewayParts, PartContext } from './options.ts';
import { post, providerRequest } from './provider-request.ts';
import type { FullRequest } from './request/request.ts';
import type { PieceWriter } from './write/answer-writer.ts';
import { relaying, rewriting } from './writers.ts';

/** What an answer is read and written with. Each attempt has its own, until the client has heard a piece. */
interface Translation {
  readonly bytes: (chunk: Uint8Array) => Uint8Array;
  readonly pieces: (piece: AnswerPiece) => readonly AnswerPiece[];
  readonly writer: PieceWriter;
}

/** How long (ms) the next attempt waits if the provider does not say. */
const retryAfterMs = 500;

/** One exchange. */
export class GatewayExchange {
  readonly #options: ExchangeOptions;
  readonly #parts: GatewayParts;
  readonly #context: PartContext;
  #translation: Translation;
  readonly #above: AnswerAbove;
  /** The base URL of the provider that is asked. */
  #url: string;
  /** The client's names of tools, by the provider's. */
  #names: ReadonlyMap<string, string> = new Map();
  #attempt = 0;
  #below: AnswerBelow | undefined;
  /** The link to the provider; undefined: there is none at the moment. */
  #link: string | undefined;
  /** Units that wait for the answer to begin. */
  #held: Unit[] = [];
  #begun = false;
  #stopped = false;
  #over = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    const { peer, route, request, headers } = options;
    this.#parts = options.gateway.parts ?? {};
    this.#context = { route, stream: request.stream, client: headers };
    this.#above = new AnswerAbove(peer, this.#parts, this.#context);
    this.#url = route.url;
    this.#translation = this.#newTranslation();
  }

  #newTranslation(): Translation {
    const bytes = this.#parts.bytes?.(this.#context) ?? ((chunk: Uint8Array) => chunk);
    const pieces = this.#parts.pieces?.(this.#context) ?? ((piece: AnswerPiece) => [piece]);
    return { bytes, pieces, writer: rewriting(this.#options) };
  }

  /** The link to the provider, if there is one. */
  get link(): string | undefined {
    return this.#link;
  }

  get over(): boolean {
    return this.#over;
  }

  /** Asks the provider, or asks it again. */
  ask(out: GatewayOutputs): void {
    const { peer, route, request, headers } = this.#options;
    const { asked = (same: Json) => same, request: edit = (same: FullRequest) => same } = this.#parts;
    const streamed = this.#streamsBelow ? { ...request, stream: true } : request;
    const written = providerRequest(route, edit(streamed, this.#context), headers);
    const { path, headers: own, wordless, names } = written;
    this.#names = names;
    if (wordless.length > 0) return this.#fail(unsaid(route.provider, wordless), out);
    this.#attempt++;
    this.#link = `${peer} attempt ${this.#attempt}`;
    const { times = 1, fields = (same: Metadata) => same } = this.#parts;
    const accept = this.#streamsBelow ? dialectOf[route.provider].contentType : 'application/json';
    const body = asked(written.body, this.#context);
    const dialled = { url: joinUrl(this.#url, path), path, body, headers: { accept, ...own } };
    for (let i = 0; i < times; i++) {
      const link = i === 0 ? this.#link : `${this.#link} again ${i}`;
      out.push(...post(link, dialled, (metadata) => fields(metadata, this.#context)));
    }
    this.#watch(out);
    const { greeting } = this.#parts;
    if (greeting !== undefined && request.stream && !this.#above.opened) this.#above.write([greeting], out);
  }

  /** Whether the provider is asked for a stream. */
  get #streamsBelow(): boolean {
    return this.#options.request.stream || this.#parts.streamsBelow === true;
  }

  /** The head of the provider's answer. */
  headers(metadata: Metadata, out: GatewayOutputs): void {
    const { route } = this.#options;
    this.#retryAfter = metadata['retry-after'];
    const { answer: most } = this.#options.gateway.largest ?? {};
    const { client, provider } = route;
    this.#below = new AnswerBelow(provider, metadata, this.#streamsBelow, most);
    this.#watch(out);
    const isSame = client === provider && this.#below.isBody === !this.#options.request.stream;
    if (!isSame || !relays(this.#parts)) return;
    this.#below.raw = true;
    const { pieces } = this.#translation;
    this.#translation = { ...this.#translation, writer: relaying(this.#options, pieces) };
  }

  #retryAfter: string | undefined;

  /** Bytes of the provider's answer. */
  bytes(chunk: Uint8Array, out: GatewayOutputs): void {
    if (this.#over || this.#below === undefined) return;
    this.#watch(out);
    this.#takeAll(this.#below.push(this.#translation.bytes(chunk)), out);
  }

  /** The provider's answer is over, in order or not. */
  ended(inOrder: boolean, out: GatewayOutputs): void {
    this.#link = undefined;
    if (this.#over) return void out.push({ type: 'stop_timer', id: this.#options.peer });
    if (this.#below === undefined) return this.#fail(lost('no answer came from the provider'), out);
    const endless = this.#parts.endless?.(this.#context);
    // A status says enough, whatever becomes of its body.
    if (!inOrder && endless === undefined && !this.#below.isRefusal)
      return this.#fail(lost("the provider's answer broke off"), out);
    this.#takeAll(this.#below.end(), out);
    if (this.#over || this.#link !== undefined || this.#waits) return;
    if (endless === 'good') return this.#takeAll([{ do: 'terminal' }], out);
    if (endless === 'silent' && this.#begun) return this.#finish(out);
    // A finish reason without [DONE] is a whole answer of Chat Completions (gateway.md, (f) 42).
    if (this.#stopped && this.#options.route.provider === 'openai-chat')
      return this.#take({ do: 'terminal' }, out);
    this.#fail(lost("the provider's answer ended without its terminal"), out);
  }

  /** Whether the next attempt waits for its time. */
  #waits = false;

  /** The units that wait have waited for long enough. */
  flush(out: GatewayOutputs): void {
    if (!this.#over) this.#above.flush(out);
  }

  /** The client has no room, or has room again: its provider waits. A provider that has to wait is not silent. */
  flow(hasRoom: boolean, out: GatewayOutputs): void {
    if (this.#link === undefined || this.#over) return;
    out.push({ type: hasRoom ? 'resume' : 'pause', peer: this.#link });
    if (hasRoom) this.#watch(out);
    else out.push({ type: 'stop_timer', id: this.#options.peer });
  }

  /** The timer of units that wait. */
  get unitsTimer(): string {
    return this.#above.timer;
  }

  /** The timer has fired: the next attempt is due, or the provider was silent for too long. */
  timer(out: GatewayOutputs): void {
    if (this.#over) return this.#letGo(out);
    if (this.#waits) {
      this.#waits = false;
      return this.ask(out);
    }
    this.#letGo(out);
    if (this.#below?.isRefusal === true) return this.#takeAll(this.#below.end(), out);
    const { idle = 60_000 } = this.#options.gateway;
    this.#fail({ type: 'timeout', status: 504, message: `the provider said nothing for ${idle} ms` }, out);
  }

  /** The client left: nothing is asked for it any more. */
  left(out: GatewayOutputs): void {
    const isUnheard = !this.#over;
    this.#over = true;
    out.push({ type: 'stop_timer', id: this.#options.peer });
    if (this.#parts.goesOn?.(this.#context, this.#begun) !== true) this.#letGo(out);
    if (isUnheard && this.#parts.asksUnheard === true) this.ask(out);
  }

  #watch(out: GatewayOutputs): void {
    const { peer, gateway } = this.#options;
    if (this.#parts.waitsForever === true) return;
    out.push({ type: 'start_timer', id: peer, ms: gateway.idle ?? 60_000 });
  }

  #letGo(out: GatewayOutputs): void {
    if (this.#link === undefined) return;
    out.push({ type: 'close', peer: this.#link, status: { code: 1, message: 'let go' } });
    this.#link = undefined;
  }

  #takeAll(pieces: readonly AnswerPiece[], out: GatewayOutputs): void {
    for (const came of pieces)
      for (const piece of came.do === 'raw' ? [came] : this.#translation.pieces(this.#restored(came)))
        if (!this.#over && !this.#waits) this.#take(piece, out);
  }

  /** A call with the client's name of its tool. */
  #restored(piece: AnswerPiece): AnswerPiece {
    return piece.do === 'call' ? { ...piece, name: this.#names.get(piece.name) ?? piece.name } : piece;
  }

  #take(piece: AnswerPiece, out: GatewayOutputs): void {
    if (piece.do === 'error') return this.#fail(piece.error, out, piece.unit);
    if (isStop(piece)) this.#stopped = true;
    const { request } = this.#options;
    const units = this.#translation.writer.take(piece);
    if (!request.stream) {
      if (this.#translation.writer.over) this.#respond(this.#translation.writer.whole(), out);
      return;
    }
    const waits = this.#parts.holds === true && !this.#translation.writer.over;
    if (waits || (!this.#begun && isPreliminary(piece))) return void this.#held.push(...units);
    this.#write(units, out);
    if (this.#translation.writer.over) this.#finish(out);
  }

  #write(units: readonly Unit[], out: GatewayOutputs): void {
    this.#begun = true;
    this.#above.write([...this.#held, ...units], out);
    this.#held = [];
  }

  #finish(out: GatewayOutputs, inOrder = true): void {
    this.#over = true;
    this.#above.end(inOrder, out);
    // A provider whose answer is over may leave its connection open.
    if (this.#link === undefined) out.push({ type: 'stop_timer', id: this.#options.peer });
    else this.#watch(out);
  }

  /** A failure: another attempt, a status, or an error in the stream. */
  #fail(error: ProviderError, out: GatewayOutputs, unit?: AnswerUnit): void {
    const { route, request, gateway, id } = this.#options;
    const { next = nextAttempt } = this.#parts;
    const attempts = this.#attempt;
    const asks = next({
      error,
      begun: this.#begun,
      attempts,
      most: 1 + (gateway.retries ?? 0),
      hasFallback: route.fallback !== undefined,
    });
    if (asks !== undefined) return this.#again(asks, out);
    this.#letGo(out);
    if (!this.#above.opened || !request.stream) {
      const { refused: edit = (same: ErrorResponse) => same } = this.#parts;
      const refused = refusal(route.client, error, id('req_'));
      const hint: Metadata = this.#retryAfter === undefined ? {} : { 'retry-after': this.#retryAfter };
      const whole = { ...refused, headers: { ...refused.headers, ...hint } };
      return this.#respond(edit(whole, error, this.#context), out);
    }
    if (this.#parts.breaksOff === true) return this.#finish(out, false);
    this.#write(this.#translation.writer.fail(error, unit), out);
    this.#finish(out);
  }

  /** The next attempt. The same provider is asked when it said, or after half a second; another one at once. */
  #again(asks: 'same' | 'fallback', out: GatewayOutputs): void {
    const { peer, route } = this.#options;
    this.#letGo(out);
    this.#below = undefined;
    this.#held = [];
    // What the client has not heard is forgotten.
    if (!this.#begun) this.#translation = this.#newTranslation();
    this.#waits = true;
    if (asks === 'fallback') this.#url = route.fallback ?? route.url;
    const seconds = Number(this.#retryAfter ?? Number.NaN);
    const ms = Number.isFinite(seconds) ? seconds * 1000 : retryAfterMs;
    out.push({ type: 'start_timer', id: peer, ms: asks === 'fallback' ? 0 : ms });
  }

  #respond(answer: WholeResponse, out: GatewayOutputs): void {
    this.#above.respond(answer, out);
    this.#finish(out);
  }
}

const lost = (message: string): ProviderError => ({ type: 'server', status: 502, message });
