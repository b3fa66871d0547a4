/** The requests of a simulated provider, each with its answer, and the turns of its script that were not used. */
import { AssertionError } from 'node:assert';
import { clip, isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject, TraceEvent, Usage } from '../../kit/base/index.ts';
import type { Script } from '../script/script.ts';

/** One request, and its answer once it is over. */
export interface LlmExchange {
  /** Its stream in the trace, and the channel where several share one. */
  readonly exchange: string;
  /** When the request was whole: ms since the provider started. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** The dialect of a request for a generation; absent: another request. */
  readonly dialect?: string;
  readonly model?: string;
  /** The headers of the request, without secrets. */
  readonly headers?: { readonly [name: string]: string };
  /** The names of the tools that the model may call. */
  readonly tools?: readonly string[];
  /** The body of the request. */
  readonly body?: Json;
  /** The turn of the script that answers it, from 0; absent: no turn fits. */
  readonly turn?: number;
  /** Why it was refused. */
  readonly error?: string;
  /** The part of the body that is refused, such as `tools[1].name`; '' is all of it. */
  readonly place?: string;
  /** No turn of the script fits it. */
  readonly unmatched?: true;
  /** `ws`: it came on a WebSocket of Responses. */
  readonly carrier?: 'ws';
  /** On such a WebSocket: it wants no answer, and prepares the next request. */
  readonly generate?: false;
  /** The HTTP status of its answer, once that began; absent on WebSockets. */
  status?: number;
  /** What no model of the provider would do, and the script does: it calls other tools, or breaks a strict schema. */
  readonly notes?: readonly string[];
  /** The answer, once it is over. A refusal has none. */
  answer?: LlmAnswer;
}

/** An answer that is over. */
export interface LlmAnswer {
  /**
   * How it ended. `complete`: it was sent to its end. `reset`, `stall`: the script ended it so. `aborted`: the client
   * closed the connection, or cancelled, before that. `left`: the script had ended it with a stall, and then the client
   * closed the connection.
   */
  readonly outcome: 'complete' | 'reset' | 'stall' | 'aborted' | 'left';
  /** When it began and when it was over: ms since the provider started. */
  readonly began?: number;
  readonly ended: number;
  readonly text: string;
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments: string;
    readonly complete: boolean;
  }[];
  readonly stop: string;
  /** The usage that the answer has, in the tokens of the script. */
  readonly usage: Usage;
  /** Bytes that were written. */
  readonly bytes: number;
  /** Events, lines or messages that were written. */
  readonly units: number;
}

/** A turn that answered fewer requests than it could. */
export interface UnusedTurn {
  /** Its position in the script, from 0. */
  readonly turn: number;
  readonly times: number | 'always';
  /** The requests that it answered. */
  readonly answered: number;
}

/** Most refused requests that are kept for a report. */
const mostUnmatched = 1000;

/** Most notes on a script that are kept for a report. */
const mostNotes = 100;

/** Counts how a script is used. */
export class ScriptUse {
  /** The requests that no turn fits, at most {@link mostUnmatched}. */
  readonly unmatched: LlmExchange[] = [];
  /** The notes on the script, each once, at most {@link mostNotes}. */
  readonly notes: Set<string> = new Set();
  readonly #answered = new Map<number, number>();

  /** Takes an event of the trace. */
  add({ kind, data }: TraceEvent): void {
    if (kind === 'mark' && data['told'] === 'request' && isObject(data['detail']))
      this.request(data['detail'] as unknown as LlmExchange);
  }

  /** Takes a request. */
  request(request: LlmExchange): void {
    const { turn, unmatched, notes = [] } = request;
    for (const note of notes)
      if (this.notes.size < mostNotes) this.notes.add(`turn ${(turn ?? 0) + 1}: ${note}`);
    if (turn !== undefined) this.#answered.set(turn, (this.#answered.get(turn) ?? 0) + 1);
    if (unmatched === true && this.unmatched.length < mostUnmatched) this.unmatched.push(request);
  }

  /** The turns of the script that answered fewer requests than their `times`; `always` means at least one. */
  unused({ turns }: Script): readonly UnusedTurn[] {
    return turns.flatMap(({ times }, turn) => {
      const answered = this.#answered.get(turn) ?? 0;
      return answered < (times === 'always' ? 1 : times) ? [{ turn, times, answered }] : [];
    });
  }
}

/** Keeps the requests of a trace, each with its answer. */
export class RequestLog {
  readonly requests: LlmExchange[] = [];
  readonly use: ScriptUse = new ScriptUse();
  readonly #bodies = new Map<string, Json>();
  /** The requests on a WebSocket of Responses that were not reported yet, by their position, from 1. */
  readonly #created = new Map<string, { count: number; readonly bodies: Map<number, Json> }>();
  readonly #headers = new Map<string, JsonObject>();
  readonly #open = new Map<string, LlmExchange>();
  /** When the answers of open exchanges began. */
  readonly #began = new Map<string, number>();

  /** Takes an event of the trace. */
  add({ kind, from, stream, data, at }: TraceEvent): void {
    if (kind === 'mark' && isObject(data['detail']))
      this.#reported(data['told'] === 'answered', data['detail'], at);
    if (kind === 'headers' && from !== 'target') this.#head(stream, Number(data[':status']), at);
    if (from !== 'target') return;
    if (kind === 'open') this.#headers.set(stream, data);
    if (kind === 'message' && data['body'] !== undefined) this.#message(stream, data['body']);
    if (kind !== 'end' && kind !== 'reset') return;
    this.#bodies.delete(stream);
    this.#created.delete(stream);
    this.#headers.delete(stream);
  }

  #message(stream: string, body: Json): void {
    if (!isObject(body) || body['type'] !== 'response.create') return void this.#bodies.set(stream, body);
    const created = this.#created.get(stream) ?? { count: 0, bodies: new Map<number, Json>() };
    created.bodies.set(++created.count, body);
    this.#created.set(stream, created);
  }

  #bodyOf(stream: string, message: unknown): Json | undefined {
    if (typeof message !== 'number') return this.#bodies.get(stream);
    const bodies = this.#created.get(stream)?.bodies;
    const body = bodies?.get(message);
    bodies?.delete(message);
    return body;
  }

  #head(stream: string, status: number, at: number): void {
    const request = this.#open.get(stream);
    if (request === undefined) return;
    request.status = status;
    this.#began.set(stream, at);
  }

  #reported(
    isAnswer: boolean,
    { exchange: key, message, ...detail }: Record<string, unknown>,
    at: number,
  ): void {
    const exchange = String(key);
    if (isAnswer) {
      const request = this.#open.get(exchange);
      const began = this.#began.get(exchange);
      this.#began.delete(exchange);
      const times = { ...(began === undefined ? {} : { began }), ended: at };
      if (request !== undefined) request.answer = { ...detail, ...times } as unknown as LlmAnswer;
      this.#open.delete(exchange);
      return;
    }
    const stream = exchange.replace(/ .*/, '');
    const body = this.#bodyOf(stream, message);
    const headers = headersIn(this.#headers.get(stream) ?? {});
    const request = {
      exchange,
      at,
      ...detail,
      headers,
      ...(body === undefined ? {} : { body }),
    } as LlmExchange;
    this.requests.push(request);
    this.use.request(request);
    this.#open.set(exchange, request);
  }
}

/** The headers in the metadata of a stream: its other members begin with a colon. */
const headersIn = (metadata: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => !name.startsWith(':')));

/** The sentences about a script that was not played to its end; empty when it was. */
export function undone(use: ScriptUse, script: Script): readonly string[] {
  return [
    ...use.unused(script).map(({ turn, times, answered }) => {
      const wanted = times === 'always' ? 'at least 1' : String(times);
      return `turn ${turn + 1} answered ${answered} of ${wanted} ${wanted.endsWith(' 1') || wanted === '1' ? 'request' : 'requests'}`;
    }),
    // A prediction on LM Studio's WebSocket has no method and no path.
    ...use.unmatched.map(({ method = 'POST', path = 'a WebSocket', error = '' }: Partial<LlmExchange>) =>
      clip(`no turn answers ${method} ${path}: ${error}`, 300),
    ),
  ];
}

/** @throws AssertionError when the script was not played to its end */
export function assertDone(use: ScriptUse, script: Script): void {
  const sentences = undone(use, script);
  if (sentences.length > 0)
    throw new AssertionError({ message: `the script was not played to its end: ${sentences.join('; ')}` });
}
