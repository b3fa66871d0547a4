/** A whole agent in the simulated world: a scripted gateway above it, a model that plays a script below it. */
import type { JsonObject, ProviderMessage } from '../kit/base/index.ts';
import { Host, Network, VirtualClock, seededRandom } from '../kit/world/index.ts';
import type { Accept, Fault } from '../kit/world/index.ts';
import { agentCodec, scriptedGateway, serverCodec } from '../fold/index.ts';
import type { AgentMessage, MessageResponse, SendMessage, ServerMessage } from '../fold/index.ts';
import { askedCodec, sentCodec, streamer } from '../llm/index.ts';
import type { DialectName, LlmRequest, ScriptBuilder } from '../llm/index.ts';
import { faultsOf } from '../tokens/index.ts';
import { wholeAgent } from './agent.ts';
import type { ToolCommand, WholeAgentOptions } from './options.ts';
import type { WholeAgentState } from './state.ts';
import { pureTools } from './tools/tools.ts';
import { wireOf } from './wire.ts';
import type { AgentIn, AgentOut } from './wire.ts';

/** What the gateway heard, and the model was asked, in one order. */
export type Heard =
  | { readonly at: number; readonly by: 'gateway'; readonly message: AgentMessage }
  | { readonly at: number; readonly by: 'model'; readonly told: string; readonly detail: JsonObject };

/** Options of a world: those of the agent, and the dialect of its model. */
export interface WorldOptions extends Partial<Omit<WholeAgentOptions, 'llm'>> {
  readonly dialect?: DialectName;
  readonly llm?: Partial<WholeAgentOptions['llm']>;
  /** Answers the counting endpoints of HTTP instead of the provider. */
  readonly counter?: Accept;
}

/** A world with one agent in it, registered. */
export class AgentWorld {
  readonly clock: VirtualClock = new VirtualClock();
  readonly heard: Heard[] = [];
  /** The requests of the agent to the model, before they are written in a dialect. */
  readonly asked: LlmRequest[] = [];
  /** The effects that the agent asked of its host. */
  readonly effects: unknown[] = [];
  readonly agent: Host<WholeAgentState, AgentIn, AgentOut, ToolCommand>;
  readonly above: Network;
  readonly below: Network;
  readonly #counting: Network;
  #dials = 0;
  readonly #news: [string, JsonObject][] = [];
  readonly #gateway;
  readonly #provider;

  constructor(script: ScriptBuilder, { dialect = 'anthropic', llm, counter, ...options }: WorldOptions = {}) {
    const delay = { min: 0.05, max: 1 };
    const { clock } = this;
    this.above = new Network(clock, seededRandom('above'), { delay });
    this.below = new Network(clock, seededRandom('below'), { delay, orderly: dialect === 'lmstudio' });
    this.#gateway = new Host({
      role: scriptedGateway(),
      clock,
      receives: agentCodec,
      sends: serverCodec,
      tap: (event) => {
        if (event.kind === 'message' && event.incoming)
          this.heard.push({ at: clock.now(), by: 'gateway', message: event.message as AgentMessage });
      },
    });
    this.#provider = new Host({
      role: streamer({ script: script.build(), random: seededRandom }),
      clock,
      receives: askedCodec,
      sends: sentCodec,
      report: (told, detail) =>
        this.heard.push({ at: clock.now(), by: 'model', told, detail: JSON.parse(detail) as JsonObject }),
    });
    this.#counting = new Network(clock, seededRandom('counting'), { delay });
    this.#counting.listen(counter);
    this.above.listen(this.#gateway.accept);
    this.below.listen(this.#provider.accept);
    const { request = (asks: LlmRequest): LlmRequest => asks, ...parts } = options.parts ?? {};
    this.agent = new Host({
      role: wholeAgent({
        llm: { baseUrl: 'http://model', model: 'm', dialect, ...llm },
        tools: pureTools,
        random: seededRandom,
        ...options,
        parts: { ...parts, request: (asks) => this.#ask(request(asks)) },
      }),
      clock,
      ...wireOf({}),
      wireOf,
      dial: (to, events) => {
        const url = to.metadata[':url'];
        if (url !== undefined) this.#dials++;
        if (url?.endsWith('_tokens') === true && counter !== undefined)
          return this.#counting.dial(to, events);
        return (url === undefined ? this.above : this.below).dial(to, events);
      },
      effect: (effect) => void this.effects.push(effect),
      report: (what, detail) => {
        if (detail.startsWith('{')) this.#news.push([what, JSON.parse(detail) as JsonObject]);
      },
    });
    this.agent.begin();
    this.pass(20);
  }

  #ask(asks: LlmRequest): LlmRequest {
    this.asked.push(asks);
    return asks;
  }

  /** The gateway sends a message of Fold. */
  tell(message: ServerMessage): void {
    this.#gateway.command({ do: 'send', message });
  }

  send(id: string, content = 'Do it.', more: Partial<SendMessage> = {}): void {
    this.tell({ send_message: { request_id: id, content, ...more } });
  }

  inject(id: string, content: string, priority: 'IMMEDIATE' | 'NORMAL' | 'DEFERRED'): void {
    this.tell({
      inject_context: { injection_id: id, content, priority: `INJECTION_PRIORITY_${priority}` },
    });
    this.until(`accept ${id}`);
  }

  cancel(id: string, reason = 'the user'): void {
    this.tell({ cancel_request: { request_id: id, reason } });
  }

  /** Releases a barrier of the script. */
  release(name: string): void {
    this.#provider.command({ do: 'send', message: { release: name } as never });
  }

  /** Decides about the tool that asked last. */
  decide(approved: boolean, approve_all = false): void {
    const asks = this.responses().flatMap(({ tool_approval_request: asked }) => asked?.id ?? []);
    this.tell({ tool_approval: { id: asks.at(-1) ?? '', approved, approve_all } });
  }

  fault(fault: Fault): void {
    this.below.fault(undefined, fault);
  }

  /** Lets time pass. */
  pass(ms: number): void {
    let over = false;
    this.clock.after(ms, () => (over = true));
    this.clock.run(() => over);
  }

  /** Lets time pass until the gateway has heard this, in short. Each hearing counts for one wait. */
  until(words: string): void {
    const count = (): number => this.told().filter((line) => line === words).length;
    const before = this.#awaited.get(words) ?? 0;
    if (!this.clock.run(() => count() > before, 200_000))
      throw new Error(`expected "${words}"; heard ${JSON.stringify(this.told())}`);
    this.#awaited.set(words, before + 1);
  }
  readonly #awaited = new Map<string, number>();

  /** Lets time pass until the model was asked this many times. */
  untilAsked(times: number): void {
    if (!this.clock.run(() => this.askedBelow() >= times, 200_000))
      throw new Error(`expected ${times} model requests; came ${this.askedBelow()}`);
  }

  /** Lets time pass until a request has said a text. */
  untilSaid(id: string, text: string): void {
    if (!this.clock.run(() => this.textOf(id).includes(text), 200_000))
      throw new Error(`expected ${id} to say ${text}; it said ${this.textOf(id)}`);
  }

  responses(): MessageResponse[] {
    return this.heard.flatMap((one) =>
      one.by === 'gateway' && one.message.response !== undefined ? [one.message.response] : [],
    );
  }

  /** The texts of a request, joined. */
  textOf(id: string): string {
    return this.responses()
      .filter((r) => r.request_id === id)
      .map(({ text = '' }) => text)
      .join('');
  }

  /** What the gateway heard, each in a word or two; texts that follow one another are one. */
  told(id?: string): string[] {
    const lines: string[] = [];
    let said = '';
    for (const one of this.heard) {
      if (one.by !== 'gateway') continue;
      const line = inShort(one.message);
      const of = one.message.response?.request_id;
      if (line === undefined || (id !== undefined && of !== id)) continue;
      const { text } = one.message.response ?? {};
      if (text !== undefined && said === of) lines.push(`${lines.pop() ?? ''}${text}`);
      else lines.push(line);
      said = text === undefined ? '' : (of ?? '');
    }
    return lines;
  }

  /** How often the provider was asked for a response, as it says. */
  askedBelow(): number {
    return this.#requests().filter((detail) => detail['dialect'] !== undefined).length;
  }

  /** The exchanges with the model so far, counts among them. */
  get dials(): number {
    return this.#dials;
  }

  #requests(): readonly JsonObject[] {
    return this.heard.flatMap((one) => (one.by === 'model' && one.told === 'request' ? [one.detail] : []));
  }

  /** What the agent told its host, by topic. */
  news(what: string): JsonObject[] {
    return this.#news.filter(([topic]) => topic === what).map(([, detail]) => detail);
  }

  /** How the provider's answers ended: `sent`, `aborted` and so on. */
  outcomes(): unknown[] {
    return this.heard.flatMap((one) =>
      one.by === 'model' && one.told === 'answered' ? [one.detail['outcome']] : [],
    );
  }

  /** The messages of the n-th model request, from 0, each in short. */
  messages(n: number): string[] {
    return (this.asked[n]?.messages ?? []).map(messageInShort);
  }

  /** The faults of all model requests: none, if each is valid for every provider (LLM-C08). */
  faults(): unknown[] {
    return this.asked.flatMap(({ messages }) => faultsOf(messages));
  }

  /** How often a text is in the n-th model request. */
  times(text: string, n: number): number {
    return JSON.stringify(this.asked[n]?.messages ?? []).split(text).length - 1;
  }
}

function messageInShort({ role, content, toolCalls = [], toolResults = [] }: ProviderMessage): string {
  const calls = toolCalls.map(({ name }) => `<${name}>`);
  const results = toolResults.map(({ content: text, isError }) => (isError ? `!${text}` : `=${text}`));
  return [role, ...results, ...(content === '' ? [] : [content]), ...calls].join(' ');
}

function inShort({ response: r, injection_ack: ack }: AgentMessage): string | undefined {
  if (ack !== undefined)
    return ack.accepted === true ? `accept ${ack.injection_id}` : `reject ${ack.injection_id} ${ack.reason}`;
  if (r === undefined) return undefined;
  const id = r.request_id ?? '';
  if (r.text !== undefined) return `${id} says ${r.text}`;
  if (r.thinking !== undefined) return `${id} thinks`;
  if (r.tool_use !== undefined) return `${id} calls ${r.tool_use.name} ${r.tool_use.input_json}`;
  if (r.tool_state !== undefined)
    return `${id} ${String(r.tool_state.state).replace('TOOL_STATE_', '').toLowerCase()}`;
  if (r.tool_approval_request !== undefined) return `${id} asks`;
  if (r.tool_result !== undefined)
    return `${id} ${r.tool_result.is_error === true ? 'fails' : 'gives'} ${r.tool_result.output}`;
  if (r.error !== undefined) return `${id} error ${r.error}`;
  if (r.cancelled !== undefined) return `${id} cancelled ${r.cancelled.reason}`;
  if (r.usage !== undefined) return `${id} usage`;
  return `${id} done ${r.done?.full_response ?? ''}`;
}
