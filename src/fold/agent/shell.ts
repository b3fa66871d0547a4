/**
 * The life of an agent on a Fold stream: it registers, reconnects with backoff, runs the requests of one thread one after
 * another, acknowledges injections, and passes cancels, decisions and a shutdown on. What a request does is the matter
 * of a worker.
 */
import type { RoleInput, Status } from '../../kit/base/index.ts';
import type {
  CancelRequest,
  InjectContext,
  PackToolResult,
  RegistrationError,
  SendMessage,
  ServerMessage,
  ToolApprovalResponse,
} from '../messages.ts';
import type { ShellOutputs, ShellRequest, ShellState, Terminal } from './shell-state.ts';

/** The wait before the first reconnect, doubled each time up to the longest (ms). */
const firstBackoff = 500;
const longestBackoff = 4000;

/** The most acks that one stream remembers; the oldest are forgotten first. */
const rememberedAcks = 4096;

/** Works on the requests of an agent. `O` are the outputs of its steps. */
export interface AgentWorker<O, R> {
  /** The request of a message, which then waits for its thread; undefined: the message is ignored. */
  receive(out: O, message: SendMessage): R | undefined;
  /** The thread of a request is free: the request begins. */
  begin(out: O, request: R): void;
  /** Stops everything that runs for a request, and ends it with this terminal. It may not have begun. */
  stop(out: O, request: R, terminal: Terminal): void;
  /** Why an injection is not accepted; undefined: it is. */
  refusal(out: O, injection: InjectContext): string | undefined;
  /** Takes an injection that was accepted. Each id comes once. */
  place(out: O, injection: InjectContext): void;
  /** A decision about a tool came. */
  decide(out: O, decision: ToolApprovalResponse): void;
  /** The result of a pack tool came. */
  packResult(out: O, result: PackToolResult): void;
  /** A timer of the worker fired. */
  timer(out: O, id: string): void;
  /** The carrier to the gateway is full. */
  full?(out: O): void;
  /** The carrier to the gateway has room again. */
  drained(out: O): void;
  /** The stream is lost: its requests are over, and there is nobody to be told. */
  lost(out: O): void;
}

type AnyOutputs<R extends ShellRequest, More> = ShellOutputs<R, ShellState<R>, More>;

/** Takes an input of an agent, apart from those of the worker's own links and effects. */
export function stepShell<R extends ShellRequest, More, O extends AnyOutputs<R, More>>(
  out: O,
  worker: AgentWorker<O, R>,
  input: RoleInput<ServerMessage, never>,
): void {
  const shell = new Shell(out, worker);
  shell.react(input);
  shell.settle();
}

/** Begins the requests whose thread has become free, after an input of the worker's own. */
export function settleShell<R extends ShellRequest, More, O extends AnyOutputs<R, More>>(
  out: O,
  worker: AgentWorker<O, R>,
): void {
  new Shell(out, worker).settle();
}

/** One step of the shell. */
class Shell<R extends ShellRequest, More, O extends AnyOutputs<R, More>> {
  readonly #out: O;
  readonly #worker: AgentWorker<O, R>;

  constructor(out: O, worker: AgentWorker<O, R>) {
    this.#out = out;
    this.#worker = worker;
  }

  /** A request may end as soon as it begins: then the next one begins. */
  settle(): void {
    const { freed } = this.#out;
    for (let thread = freed.shift(); thread !== undefined; thread = freed.shift()) this.#startNext(thread);
  }

  react(input: RoleInput<ServerMessage, never>): void {
    const { state } = this.#out;
    if (input.type === 'started') return this.#dial();
    if (input.type === 'timer') {
      if (input.id === 'reconnect') return this.#dial();
      return this.#worker.timer(this.#out, input.id);
    }
    if (!('peer' in input) || input.peer !== state.peer || state.phase === 'stopped') return;
    switch (input.type) {
      case 'opened':
        return this.#out.toGateway({ register: { agent_id: state.agentId, ...this.#out.options.register } });
      case 'message':
        return this.#message(input.message);
      case 'left':
        return this.#lost(input.status);
      case 'full':
        state.full = true;
        return this.#worker.full?.(this.#out);
      case 'drained':
        state.full = false;
        return this.#worker.drained(this.#out);
      case 'headers':
      case 'half_close':
      case 'undecodable':
        return;
      default:
        input satisfies never;
    }
  }

  #dial(): void {
    const { state, options } = this.#out;
    state.phase = 'registering';
    state.peer = `agent-${state.streams}`;
    this.#out.dial(state.peer, options.metadata(state.streams++), options.keepalive);
  }

  #message(m: ServerMessage): void {
    const [out, worker] = [this.#out, this.#worker];
    const { state } = out;
    if (m.welcome !== undefined) {
      state.phase = 'ready';
      state.failures = 0;
      state.agentId = m.welcome.agent_id ?? state.agentId;
    } else if (m.registration_error !== undefined) this.#refused(m.registration_error);
    else if (m.send_message !== undefined) this.#receive(m.send_message);
    else if (m.inject_context !== undefined) this.#inject(m.inject_context);
    else if (m.cancel_request !== undefined) this.#cancel(m.cancel_request);
    else if (m.tool_approval !== undefined) worker.decide(out, m.tool_approval);
    else if (m.pack_tool_result !== undefined) worker.packResult(out, m.pack_tool_result);
    else if (m.shutdown !== undefined) this.#shutdown(m.shutdown.reason ?? '');
  }

  #refused(error: RegistrationError): void {
    const { state } = this.#out;
    const suggested = error.suggested_id ?? '';
    state.agentId = suggested === '' ? `${state.agentId}-1` : suggested;
    state.phase = 'refused';
    this.#out.halfClose(state.peer);
  }

  #receive(message: SendMessage): void {
    const request = this.#worker.receive(this.#out, message);
    if (request === undefined) return;
    this.#out.state.requests.set(request.id, request);
    this.#startNext(request.thread);
  }

  /** Starts the first request of a non-empty thread, or all requests of the empty one. */
  #startNext(thread: string): void {
    for (const request of this.#out.state.requests.values()) {
      if (request.thread !== thread) continue;
      if (request.started === 0) {
        request.started = ++this.#out.state.starts;
        this.#worker.begin(this.#out, request);
      }
      if (thread !== '') return;
    }
  }

  /** Acknowledges an injection and places it. A repeated id is only acknowledged again. */
  #inject(injection: InjectContext): void {
    const out = this.#out;
    const { acks } = out.state;
    const id = injection.injection_id ?? '';
    const earlier = acks.get(id);
    if (earlier !== undefined) return out.toGateway({ injection_ack: { injection_id: id, ...earlier } });
    const reason = this.#worker.refusal(out, injection);
    const ack = reason === undefined ? { accepted: true } : { accepted: false, reason };
    if (acks.size >= rememberedAcks) for (const oldest of acks.keys()) if (acks.delete(oldest)) break;
    acks.set(id, ack);
    out.toGateway({ injection_ack: { injection_id: id, ...ack } });
    if (ack.accepted) this.#worker.place(out, injection);
  }

  #cancel(m: CancelRequest): void {
    const request = this.#out.state.requests.get(m.request_id ?? '');
    if (request !== undefined)
      this.#worker.stop(this.#out, request, { cancelled: { reason: m.reason ?? '' } });
  }

  #shutdown(reason: string): void {
    const { state } = this.#out;
    const open = [...state.requests.values()];
    state.requests.clear();
    for (const request of open) this.#worker.stop(this.#out, request, { error: `shutting down: ${reason}` });
    state.phase = 'stopped';
    this.#out.halfClose(state.peer);
    this.#out.tell('stopped', reason);
  }

  /** The stream has ended, with or without a status: its requests are over, and the agent reconnects after a wait. */
  #lost(status: Status | undefined): void {
    const { state } = this.#out;
    this.#worker.lost(this.#out);
    state.requests.clear();
    state.acks.clear();
    state.full = false;
    state.phase = 'waiting';
    const wait = Math.min(longestBackoff, firstBackoff * 2 ** state.failures++);
    this.#out.startTimer('reconnect', wait);
    const detail = status === undefined ? 'connection lost' : `status ${status.code}: ${status.message}`;
    this.#out.tell('reconnecting', `${detail}; in ${wait} ms`);
  }
}
