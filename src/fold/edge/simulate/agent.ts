/** The agent for tests of gateways: dials a gateway, obeys directives, and answers by a script. */
import type { Metadata, TraceEvent } from '../../../kit/base/index.ts';
import { dialGrpc } from '../../../kit/transport/index.ts';
import { Host, PeerTrace, keepLatest, realClock, secretRedactor } from '../../../kit/world/index.ts';
import type { WireEvent } from '../../../kit/world/index.ts';
import { agent, defaultAgentOptions } from '../../agent/agent.ts';
import { agentCodec, serverCodec } from '../../codec.ts';
import type { ScriptedAnswer } from '../../directive.ts';
import { eventOf, foldSecrets, terminalEvents } from '../../messages.ts';
import type {
  AgentMessage,
  MessageResponse,
  RegisterAgent,
  SendMessage,
  ServerMessage,
  Welcome,
} from '../../messages.ts';
import { agentPaths } from '../../stream-codecs.ts';

/** The options of a simulated agent. */
export interface SimulateFoldAgentOptions {
  /** host:port of the gateway under test. */
  readonly gateway: string;
  /** Default `wireproof-agent`. */
  readonly agent_id?: string;
  /** What differs from the registration of the reference agent. */
  readonly register?: Partial<Omit<RegisterAgent, 'agent_id'>>;
  /** Its answers to messages that are no directives; without one it repeats the message. */
  readonly answers?: readonly ScriptedAnswer[];
  /** The metadata of its streams, such as `{ authorization: 'Bearer …' }`. */
  readonly headers?: Metadata;
  /** The path of its stream; default: the published one. */
  readonly path?: string;
  /** The longest wait of the methods without a time of their own (ms). Default 10,000. */
  readonly within?: number;
  /** The most events that the trace keeps, and the most messages. Default 100,000. */
  readonly traceLimit?: number;
  /** `false` shows secrets in the trace. */
  readonly redact?: boolean;
}

/** A message that the gateway gave to the agent, and the responses so far. */
export interface AgentTask {
  readonly message: SendMessage;
  /** The agent's responses, in order. */
  readonly responses: readonly MessageResponse[];
  /** The name of the response that ended it; absent: it runs. */
  readonly end?: string;
}

/** A running simulated agent. */
export interface SimulatedFoldAgent {
  readonly agent_id: string;
  /** host:port of the gateway. */
  readonly address: string;
  /** The trace so far. */
  readonly trace: readonly TraceEvent[];
  /** The messages from the gateway, in order. */
  readonly received: readonly ServerMessage[];
  /** The messages to the gateway, in order. */
  readonly sent: readonly AgentMessage[];
  /** The response headers of its streams. */
  readonly headers: readonly Metadata[];
  /** The messages of operators that it got, in order. */
  readonly tasks: readonly AgentTask[];
  /** Waits for its Welcome. @throws WireproofError 'environment' when none comes within the time (ms) */
  welcomed(within?: number): Promise<Welcome>;
  /** Waits for a message of the gateway: the first one with this member. @throws WireproofError as `welcomed` */
  message<N extends keyof ServerMessage>(name: N, within?: number): Promise<NonNullable<ServerMessage[N]>>;
  /** Leaves at once. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const maxReceive = 4 << 20;

/**
 * Starts an agent: the reference agent, which dials the gateway under test. It comes back when its stream is lost.
 *
 * @example
 * import { simulateFoldAgent, simulateFoldGateway } from 'wireproof/fold/simulate';
 *
 * // Instead of this gateway, take yours.
 * const gateway = await simulateFoldGateway();
 * const agent = await simulateFoldAgent({ gateway: gateway.address, agent_id: 'a-1' });
 * (await agent.welcomed()).agent_id; // 'a-1'
 * await agent.close();
 * await gateway.close();
 */
export async function simulateFoldAgent(options: SimulateFoldAgentOptions): Promise<SimulatedFoldAgent> {
  const made = new AgentForTests(options);
  made.begin();
  return made;
}

type Task = { -readonly [K in keyof AgentTask]: AgentTask[K] } & { readonly responses: MessageResponse[] };

class AgentForTests implements SimulatedFoldAgent {
  readonly agent_id: string;
  readonly address: string;
  readonly received: ServerMessage[] = [];
  readonly sent: AgentMessage[] = [];
  readonly headers: Metadata[] = [];
  readonly tasks: Task[] = [];
  readonly #trace: PeerTrace;
  readonly #within: number;
  readonly #limit: number;
  readonly #host: Host<unknown, ServerMessage, AgentMessage, never>;
  #reported = '';

  constructor(options: SimulateFoldAgentOptions) {
    const { gateway, agent_id = defaultAgentOptions.agent_id, within = 10_000 } = options;
    const { traceLimit = 100_000, redact = true } = options;
    this.agent_id = agent_id;
    this.address = gateway;
    this.#within = within;
    this.#limit = traceLimit;
    const clock = realClock();
    this.#trace = new PeerTrace({
      clock,
      wire: 'fold',
      secrets: foldSecrets,
      redact: redact ? secretRedactor() : undefined,
      limit: traceLimit,
    });
    this.#host = new Host<unknown, ServerMessage, AgentMessage, never>({
      role: agent(roleOptions(agent_id, options)),
      clock,
      receives: serverCodec,
      sends: agentCodec,
      dial: dialGrpc({ address: gateway, method: options.path ?? agentPaths[0] ?? '', maxReceive }),
      tap: (event) => this.#take(event),
      report: (what, detail) => (this.#reported = `${what}: ${detail}`),
    });
  }

  begin(): void {
    this.#host.begin();
  }

  get trace(): readonly TraceEvent[] {
    return this.#trace.events;
  }

  #take(event: WireEvent): void {
    this.#trace.wire('agent', event);
    if (event.kind === 'headers' && event.incoming) keepLatest(this.headers, event.metadata, this.#limit);
    if (event.kind === 'message' && event.incoming) this.#came(event.message as ServerMessage);
    else if (event.kind === 'message') this.#went(event.message as AgentMessage);
    this.#trace.changed();
  }

  #came(message: ServerMessage): void {
    keepLatest(this.received, message, this.#limit);
    if (message.send_message !== undefined)
      keepLatest(this.tasks, { message: message.send_message, responses: [] }, this.#limit);
  }

  #went(message: AgentMessage): void {
    keepLatest(this.sent, message, this.#limit);
    const { response } = message;
    const task = response && this.tasks.findLast(({ message: m }) => m.request_id === response.request_id);
    if (response === undefined || task === undefined) return;
    task.responses.push(response);
    const name = eventOf(response);
    if (name !== undefined && terminalEvents.has(name)) task.end = name;
  }

  welcomed(within?: number): Promise<Welcome> {
    return this.message('welcome', within);
  }

  message<N extends keyof ServerMessage>(
    name: N,
    within: number = this.#within,
  ): Promise<NonNullable<ServerMessage[N]>> {
    return this.#trace.until<NonNullable<ServerMessage[N]>>(
      () => this.received.find((message) => message[name] !== undefined)?.[name] ?? undefined,
      within,
      () =>
        `the gateway at ${this.address} sent no ${name}; it sent ${this.received.flatMap((m) => Object.keys(m)).join(', ') || 'nothing'}${this.#reported === '' ? '' : `; the agent reports ${this.#reported}`}`,
    );
  }

  async close(): Promise<void> {
    this.#host.stop();
    this.#trace.close('the agent was closed');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

const roleOptions = (
  agent_id: string,
  { register = {}, answers, headers = {} }: SimulateFoldAgentOptions,
): Parameters<typeof agent>[0] => ({
  agent_id,
  epoch: Date.now(),
  register: { ...defaultAgentOptions.register, ...register },
  metadata: () => headers,
  ...(answers === undefined ? {} : { answers }),
});
