/**
 * The reference client as a role: it gets turns, one JSON object each (`llm.turn` of llm.md), and dials the providers
 * that they name. The same role runs as a testee, in the simulated world, and behind the library.
 */
import { badInputAnswer, dispatcher, ok } from '../../kit/base/index.ts';
import type { Codec, JsonObject, Role, RoleInput, RoleOutput } from '../../kit/base/index.ts';
import type { Random } from '../../kit/world/index.ts';
import { ClientCall } from './call.ts';
import type { CallOutput } from './call.ts';
import { readJob } from './job.ts';
import type { TurnJob } from './job.ts';
import { ClientTurn } from './turn.ts';
import type { TurnOptions, TurnResult } from './turn.ts';
import { ResponsesConnection } from '../dialects/openai-responses/socket-client.ts';
import type { ResponsesConnectionOptions } from '../dialects/openai-responses/socket-client.ts';
import type { Converse, KeptConnection } from '../dialects/shared/conversation.ts';
import { dialects } from '../messages.ts';
import type { ResponseEvent } from '../messages.ts';

/** Bytes to and from a provider, as they are. */
export interface Chunk {
  readonly chunk: Uint8Array;
}

/** A line that asks for a turn, or a chunk from a provider. */
export type ClientMessage = JsonObject | Chunk;

const isChunk = (message: ClientMessage): message is Chunk => message['chunk'] instanceof Uint8Array;

/** Carries chunks as they are. */
export const chunkCodec: Codec<ClientMessage> = {
  name: 'bytes',
  encode: (message) => (isChunk(message) ? message.chunk : new Uint8Array()),
  decode: (chunk) => ok({ message: { chunk } }),
};

/** Options of a client. */
export interface ClientOptions {
  /** Randomness by the number of the turn: spreads retries. */
  readonly random: (label: string) => Random;
  /** Gets the events of responses as they come. */
  readonly shown?: (turn: number, event: ResponseEvent) => void;
  /** A turn that begins with the client. */
  readonly begins?: JsonObject;
  /** Replaced parts, for clients that are wrong in one way. */
  readonly parts?: ClientParts;
}

/** The parts of a client that can be replaced. */
export interface ClientParts {
  /** Begins exchanges. */
  readonly converse?: Converse;
  /** Makes the WebSocket of a turn that wants one. */
  readonly connection?: (options: ResponsesConnectionOptions) => KeptConnection;
  /** Makes the loop of a turn. */
  readonly turn?: (options: TurnOptions) => ClientTurn;
  /** Changes a job. */
  readonly job?: (job: TurnJob) => TurnJob;
}

/** A running turn. */
interface Running {
  readonly asker: string;
  readonly job: TurnJob;
  readonly turn: ClientTurn;
  readonly number: number;
  readonly random: Random;
  /** The connection of its exchanges; undefined: each has its own. */
  readonly connection: KeptConnection | undefined;
  call: ClientCall;
  peer: string;
  calls: number;
  /** Events of the turn's responses so far. */
  shown: number;
}

/** The running turns, by number. */
export interface ClientState {
  count: number;
  readonly running: Map<number, Running>;
  /** Which turn a link to a provider belongs to. */
  readonly links: Map<string, number>;
}

/** The role. */
export type ClientRole = Role<ClientState, ClientMessage, ClientMessage>;

/** A client that runs turns. */
export function clientRole(options: ClientOptions): ClientRole {
  return {
    name: 'llm/client',
    start: () => ({ count: 0, running: new Map(), links: new Map() }),
    step(state, input) {
      const outputs: RoleOutput<ClientMessage>[] = [];
      new Step(options, state, outputs).take(input);
      return { state, outputs };
    },
  };
}

/** One step: its state and its outputs. */
class Step {
  readonly #options: ClientOptions;
  readonly #state: ClientState;
  readonly #out: RoleOutput<ClientMessage>[];

  constructor(options: ClientOptions, state: ClientState, out: RoleOutput<ClientMessage>[]) {
    this.#options = options;
    this.#state = state;
    this.#out = out;
  }

  take(input: RoleInput<ClientMessage, never>): void {
    switch (input.type) {
      case 'started':
        if (this.#options.begins !== undefined) this.#line('', this.#options.begins);
        return;
      case 'message': {
        const { message, peer } = input;
        if (!isChunk(message)) return this.#line(peer, message);
        return this.#withCall(peer, (call) => call.bytes(message.chunk));
      }
      case 'headers':
        return this.#withCall(input.peer, (call) => call.headers(input.metadata));
      case 'half_close':
        return this.#withCall(input.peer, (call) => call.ended(true));
      case 'left':
        this.#askerLeft(input.peer);
        return this.#withCall(input.peer, (call) => call.ended(input.status?.code === 0));
      case 'timer':
        return this.#timer(Number(input.id));
      case 'undecodable':
        return this.#answer(input.peer, badInputAnswer(input.reason));
      default:
        return;
    }
  }

  #line(asker: string, line: JsonObject): void {
    // A turn is answered when it is over; everything else at once.
    if (line['op'] !== 'llm.turn') return this.#answer(asker, answerAtOnce(line));
    const job = readJob(line);
    if (!job.ok) {
      const { path, message } = job.error;
      return this.#answer(asker, badInputAnswer(`${path}: ${message}`, line['id']));
    }
    this.#begin(asker, this.#options.parts?.job?.(job.value) ?? job.value);
  }

  #begin(asker: string, job: TurnJob): void {
    const number = this.#state.count++;
    const turn = this.#options.parts?.turn?.(job.turn) ?? new ClientTurn(job.turn);
    const random = this.#options.random(`turn ${number}`);
    const connection = this.#connectionOf(job);
    const call = this.#call({ job, turn, random, connection });
    const own = { asker, job, turn, number, random, connection };
    const running: Running = { ...own, call, peer: '', calls: 0, shown: 0 };
    this.#state.running.set(number, running);
    this.#executeAll(running, call.start());
  }

  #connectionOf({ socket }: TurnJob): KeptConnection | undefined {
    if (socket === undefined) return undefined;
    return this.#options.parts?.connection?.(socket) ?? new ResponsesConnection(socket);
  }

  #call({
    job,
    turn,
    random,
    connection,
  }: Pick<Running, 'job' | 'turn' | 'random' | 'connection'>): ClientCall {
    const { baseUrl, idle, retries, headers } = job;
    const { converse } = this.#options.parts ?? {};
    return new ClientCall({
      baseUrl,
      request: turn.request(),
      headers,
      retries,
      idle,
      random,
      ...(connection !== undefined && { connection }),
      ...(converse !== undefined && { converse }),
    });
  }

  #withCall(peer: string, what: (call: ClientCall) => readonly CallOutput[]): void {
    const running = this.#state.running.get(this.#state.links.get(peer) ?? -1);
    if (running !== undefined && running.peer === peer) this.#executeAll(running, what(running.call));
  }

  /** The asker left: aborts its turns. */
  #askerLeft(asker: string): void {
    for (const running of this.#state.running.values())
      if (running.asker === asker) this.#executeAll(running, running.call.abort());
  }

  #timer(number: number): void {
    const running = this.#state.running.get(number);
    if (running !== undefined) this.#executeAll(running, running.call.timer());
  }

  /** Stops when an event made the caller abort, because the call is then over. */
  #executeAll(running: Running, outputs: readonly CallOutput[]): void {
    const { call } = running;
    for (const output of outputs) {
      if (running.call !== call || !this.#state.running.has(running.number)) return;
      this.#execute(running, output);
    }
  }

  #execute(running: Running, output: CallOutput): void {
    const { peer, number } = running;
    switch (output.do) {
      case 'dial':
        this.#state.links.delete(peer);
        running.peer = `turn ${number} call ${++running.calls}`;
        this.#state.links.set(running.peer, number);
        return void this.#out.push({ type: 'dial', peer: running.peer, metadata: output.metadata });
      case 'send':
        return void this.#out.push({ type: 'send', peer, message: { chunk: output.bytes } });
      case 'half_close':
        return void this.#out.push({ type: 'half_close', peer });
      case 'close':
        return void this.#out.push({ type: 'close', peer, status: { code: 0, message: '' } });
      case 'timer':
        return void this.#out.push({ type: 'start_timer', id: String(number), ms: output.ms });
      case 'no_timer':
        return void this.#out.push({ type: 'stop_timer', id: String(number) });
      case 'show':
        return this.#show(running, output.event);
      case 'done':
        return this.#done(running, output.decoded);
      default:
        output satisfies never;
    }
  }

  /** Aborts the turn at the event that the job names, before any event that came with it. */
  #show(running: Running, event: ResponseEvent): void {
    this.#options.shown?.(running.number, event);
    if (++running.shown === running.job.abortAfter) this.#executeAll(running, running.call.abort());
  }

  #done(running: Running, decoded: Parameters<ClientTurn['took']>[0]): void {
    const result = running.turn.took(decoded);
    if (result === undefined) {
      running.call = this.#call(running);
      return this.#executeAll(running, running.call.start());
    }
    if (running.connection?.isOpen === true) this.#execute(running, { do: 'close' });
    this.#state.links.delete(running.peer);
    this.#state.running.delete(running.number);
    if (running.asker === '') return this.#exit(result);
    this.#answer(running.asker, { id: running.job.id, ok: resultJson(result) });
  }

  /** Ends a turn that began with the client, as a program ends: it prints, and has an exit code. */
  #exit({ text, error }: TurnResult): void {
    const printed = error === undefined ? text : `${text}\nError: ${error}`;
    if (printed !== '') this.#out.push({ type: 'tell', what: 'printed', detail: printed });
    this.#out.push({ type: 'tell', what: 'exited', detail: error === undefined ? '0' : '1' });
  }

  #answer(peer: string, message: JsonObject): void {
    this.#out.push({ type: 'send', peer, message });
  }
}

const answerAtOnce = dispatcher({
  name: 'wireproof',
  version: '0.1.0',
  operations: {},
  hello: {
    ops: ['llm.turn'],
    dialects: [...dialects],
    carriers: ['http', 'ws'],
    providers: ['azure', 'openrouter', 'mistral'],
    concurrent: 32,
  },
});

/** A turn's result as `llm.turn` gives it. */
function resultJson(result: TurnResult): JsonObject {
  const { text, toolCalls, executed, stopReason, usage, error, warnings } = result;
  return {
    text,
    tool_calls: toolCalls.map(({ id, name, input, custom }) => ({
      id,
      name,
      input,
      ...(custom && { custom }),
    })),
    executed: [...executed],
    stop_reason: stopReason,
    usage: { ...usage },
    ...(error === undefined ? {} : { error: { message: error } }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  };
}
