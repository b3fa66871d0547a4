/**
 * One request of a client and its answer: the attempts below, and what is written above. Before the answer has begun, a
 * failure is a status; after that it is an error of the dialect, or a broken connection.
 */
import type { Json, Metadata } from '../../kit/base/index.ts';
import { exactText } from '../../kit/base/index.ts';
import { joinUrl } from '../client/wire.ts';
import { dialectOf } from '../dialects/index.ts';
import type { ErrorResponse, WholeResponse } from '../dialects/shared/dialect.ts';
import type { ProviderError, Unit } from '../messages.ts';
import { AnswerAbove } from './above.ts';
import type { GatewayOutputs } from './above.ts';
import { AnswerBelow } from './below.ts';
import { isPreliminary, isStop } from './answer/piece.ts';
import type { AnswerPiece, AnswerUnit } from './answer/piece.ts';
import { mayHelp, refusal, unsaid } from './failure.ts';
import { relays } from './options.ts';
import type { ExchangeOptions, GatewayParts, PartContext } from './options.ts';
import { providerRequest } from './provider-request.ts';
import type { FullRequest } from './request/request.ts';
import type { PieceWriter } from './write/answer-writer.ts';
import { relaying, rewriting } from './writers.ts';

/** One exchange. */
export class GatewayExchange {
  readonly #options: ExchangeOptions;
  #writer: PieceWriter;
  readonly #parts: GatewayParts;
  readonly #context: PartContext;
  readonly #bytes: (chunk: Uint8Array) => Uint8Array;
  readonly #pieces: (piece: AnswerPiece) => readonly AnswerPiece[];
  readonly #above: AnswerAbove;
  readonly #urls: readonly string[];
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
    const { peer, route, request, gateway } = options;
    this.#parts = gateway.parts ?? {};
    this.#context = { route, stream: request.stream };
    this.#bytes = this.#parts.bytes?.(this.#context) ?? ((chunk) => chunk);
    this.#pieces = this.#parts.pieces?.(this.#context) ?? ((piece) => [piece]);
    this.#above = new AnswerAbove(peer, this.#parts, this.#context);
    const again = Array.from({ length: 1 + (gateway.retries ?? 0) }, () => route.url);
    this.#urls = route.fallback === undefined ? again : [...again, route.fallback];
    this.#writer = rewriting(options);
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
    const url = joinUrl(this.#urls[this.#attempt] ?? route.url, path);
    const bytes = Buffer.from(exactText(asked(written.body, this.#context)));
    this.#attempt++;
    this.#link = `${peer} attempt ${this.#attempt}`;
    const metadata: Metadata = {
      ':carrier': 'http',
      ':path': path,
      ':url': url,
      ':method': 'POST',
      'content-type': 'application/json',
      'content-length': String(bytes.length),
      accept: this.#streamsBelow ? dialectOf[route.provider].contentType : 'application/json',
      ...own,
    };
    const { times = 1, fields = (same: Metadata) => same } = this.#parts;
    for (let i = 0; i < times; i++) {
      const link = i === 0 ? this.#link : `${this.#link} again ${i}`;
      out.push(
        { type: 'dial', peer: link, metadata: fields(metadata, this.#context) },
        { type: 'send', peer: link, message: { chunk: bytes } },
        { type: 'half_close', peer: link },
      );
    }
    this.#watch(out);
    const { greeting } = this.#parts;
    if (greeting !== undefined && request.stream && !this.#begun) this.#write([greeting], out);
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
    this.#writer = relaying(this.#options, this.#pieces);
  }

  #retryAfter: string | undefined;

  /** Bytes of the provider's answer. */
  bytes(chunk: Uint8Array, out: GatewayOutputs): void {
    if (this.#over || this.#below === undefined) return;
    this.#watch(out);
    this.#takeAll(this.#below.push(this.#bytes(chunk)), out);
  }

  /** The provider's answer is over, in order or not. */
  ended(inOrder: boolean, out: GatewayOutputs): void {
    this.#link = undefined;
    if (this.#over) return;
    if (this.#below === undefined) return this.#fail(lost('no answer came from the provider'), out);
    const endless = this.#parts.endless?.(this.#context);
    if (!inOrder && endless === undefined) return this.#fail(lost("the provider's answer broke off"), out);
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
    if (this.#over) return;
    if (this.#waits) {
      this.#waits = false;
      return this.ask(out);
    }
    this.#letGo(out);
    const { idle = 60_000 } = this.#options.gateway;
    this.#fail({ type: 'timeout', status: 504, message: `the provider said nothing for ${idle} ms` }, out);
  }

  /** The client left: nothing is asked for it any more. */
  left(out: GatewayOutputs): void {
    this.#over = true;
    out.push({ type: 'stop_timer', id: this.#options.peer });
    if (this.#parts.goesOn?.(this.#context, this.#begun) !== true) this.#letGo(out);
  }

  #watch(out: GatewayOutputs): void {
    const { peer, gateway } = this.#options;
    out.push({ type: 'start_timer', id: peer, ms: gateway.idle ?? 60_000 });
  }

  #letGo(out: GatewayOutputs): void {
    if (this.#link === undefined) return;
    out.push({ type: 'close', peer: this.#link, status: { code: 1, message: 'let go' } });
    this.#link = undefined;
  }

  #takeAll(pieces: readonly AnswerPiece[], out: GatewayOutputs): void {
    for (const came of pieces)
      for (const piece of came.do === 'raw' ? [came] : this.#pieces(this.#restored(came)))
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
    const units = this.#writer.take(piece);
    if (!request.stream) {
      if (this.#writer.over) this.#respond(this.#writer.whole(), out);
      return;
    }
    const waits = this.#parts.holds === true && !this.#writer.over;
    if (waits || (!this.#begun && isPreliminary(piece))) return void this.#held.push(...units);
    this.#write(units, out);
    if (this.#writer.over) this.#finish(out);
  }

  #write(units: readonly Unit[], out: GatewayOutputs): void {
    this.#begun = true;
    this.#above.write([...this.#held, ...units], out);
    this.#held = [];
  }

  #finish(out: GatewayOutputs, inOrder = true): void {
    this.#over = true;
    this.#above.end(inOrder, out);
    out.push({ type: 'stop_timer', id: this.#options.peer });
  }

  /** A failure: another attempt, a status, or an error in the stream. */
  #fail(error: ProviderError, out: GatewayOutputs, unit?: AnswerUnit): void {
    const { route, request, id } = this.#options;
    if (!this.#begun && mayHelp(error) && this.#attempt < this.#urls.length) return this.#again(out);
    this.#letGo(out);
    if (!this.#begun || !request.stream) {
      const { refused: edit = (same: ErrorResponse) => same } = this.#parts;
      const refused = refusal(route.client, error, id('req_'));
      const hint: Metadata = this.#retryAfter === undefined ? {} : { 'retry-after': this.#retryAfter };
      const whole = { ...refused, headers: { ...refused.headers, ...hint } };
      return this.#respond(edit(whole, error, this.#context), out);
    }
    if (this.#parts.breaksOff === true) return this.#finish(out, false);
    this.#write(this.#writer.fail(error, unit), out);
    this.#finish(out);
  }

  /** The next attempt waits as long as the provider asked. */
  #again(out: GatewayOutputs): void {
    const { peer } = this.#options;
    this.#letGo(out);
    this.#below = undefined;
    this.#held = [];
    this.#waits = true;
    const seconds = Number(this.#retryAfter ?? 0);
    out.push({ type: 'start_timer', id: peer, ms: Number.isFinite(seconds) ? seconds * 1000 : 0 });
  }

  #respond(answer: WholeResponse, out: GatewayOutputs): void {
    this.#above.respond(answer, out);
    this.#finish(out);
  }
}

const lost = (message: string): ProviderError => ({ type: 'server', status: 502, message });
