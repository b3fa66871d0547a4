/** The hand that stirs a simulated system: what its operator and packs say, at random, and how it is brought to rest. */
import type { JsonObject } from '../../src/kit/base/index.ts';
import { isObject } from '../../src/kit/base/index.ts';
import type { Clock, Random, WireEvent } from '../../src/kit/world/index.ts';
import { directive } from '../../src/fold/index.ts';
import { pick, stepsOf } from './storm-steps.ts';

/** Makes a simulated peer send a message. */
type Send = (peer: string, message: JsonObject) => void;

/** A tool that waits for a decision. */
interface Asked {
  readonly agent: string;
  readonly tool: string;
}

/** See the file's head. */
export class SystemTalk {
  /** The ids of the agents there are. */
  readonly agents: string[] = [];
  readonly #random: Random;
  readonly #clock: Clock;
  readonly #send: Send;
  /** Requests that agents were sent, by id, to their agent; and the tools that wait for a decision, by agent and tool. */
  readonly #requests = new Map<string, string>();
  readonly #asked = new Map<string, Asked>();
  /** Calls that have not ended, by their streams. */
  readonly #open = new Set<string>();
  #n = 0;

  constructor(random: Random, clock: Clock, send: Send) {
    this.#random = random;
    this.#clock = clock;
    this.#send = send;
  }

  /** Calls of the operator's that have not ended. */
  open(): number {
    return this.#open.size;
  }

  /** The operator opened a call. */
  opened(stream: string): void {
    this.#open.add(stream);
  }

  /** Says something. */
  say(): void {
    const often = this.#asked.size > 0 ? this.#decide : this.#request;
    pick(this.#random, [
      this.#request,
      this.#request,
      this.#request,
      this.#inject,
      often,
      this.#cancel,
      this.#other,
    ])();
  }

  /** Releases every hold and decides about every tool. */
  settle(): void {
    for (const agent_id of this.agents)
      this.#call({ inject: { agent_id, content: 'release', priority: 'immediate' } });
    for (const asked of this.#asked.values()) this.#approve(asked, true, false);
  }

  /** A peer heard something from the gateway. */
  heard(peer: string, event: WireEvent): void {
    if (peer === 'operator') this.#answered(event);
    else if (event.kind === 'message' && isObject(event.message)) {
      if (peer === 'pack') this.#work(event.message);
      else this.#told(peer, event.message);
    }
  }

  #answered(event: WireEvent): void {
    if (event.kind === 'end' || event.kind === 'reset') this.#open.delete(event.stream);
    if (event.kind !== 'message' || !isObject(event.message)) return;
    const { tool_approval: ask } = event.message;
    if (isObject(ask) && typeof ask['id'] === 'string' && typeof ask['request_id'] === 'string') {
      const agent = this.#requests.get(ask['request_id']) ?? '';
      this.#asked.set(`${agent} ${ask['id']}`, { agent, tool: ask['id'] });
    }
  }

  #told(agent: string, message: Record<string, unknown>): void {
    const { send_message: work, tool_approval: decision } = message;
    if (isObject(work) && typeof work['request_id'] === 'string')
      this.#requests.set(work['request_id'], agent);
    if (isObject(decision) && typeof decision['id'] === 'string')
      this.#asked.delete(`${agent} ${decision['id']}`);
  }

  /** The pack answers a call after a while, badly, or never. */
  #work(message: Record<string, unknown>): void {
    const { execute_tool: call } = message;
    if (!isObject(call) || typeof call['request_id'] !== 'string') return;
    const { request_id } = call;
    const answer = pick(this.#random, [
      { output_json: '{"found":1}' },
      { output_json: '{}' },
      { error: 'no luck' },
      undefined,
    ]);
    if (answer === undefined) return;
    const tool_response: JsonObject = { request_id, ...answer };
    this.#clock.after(this.#random.next() * 1500, () => this.#send('pack', { tool_response }));
  }

  #call(message: JsonObject): void {
    this.#send('operator', message);
  }

  readonly #request = (): void => {
    const n = `r${++this.#n}`;
    const todo = Array.from({ length: 1 + this.#random.below(5) }, (_, i) =>
      pick(this.#random, stepsOf(`${n} ${i}`)),
    );
    const content = directive([{ think: `unique ${n}` }, ...todo]);
    const agent_id = pick(this.#random, [...this.agents, ...this.agents, 'nobody']);
    const thread = pick(this.#random, [{}, { thread_id: `t1 ${agent_id}` }, { thread_id: `t2 ${agent_id}` }]);
    this.#call({ send: { content, sender: 'storm', agent_id, ...thread } });
  };

  readonly #inject = (): void => {
    const content = this.#random.below(3) === 0 ? 'release' : `injection ${++this.#n}`;
    const priority = pick(this.#random, ['immediate', 'normal', 'deferred']);
    this.#call({ inject: { agent_id: pick(this.#random, this.agents), content, priority, source: 'storm' } });
  };

  readonly #decide = (): void => {
    const agent = pick(this.#random, this.agents);
    const asked = pick(this.#random, [...this.#asked.values(), { agent, tool: 'none' }]);
    this.#approve(asked, this.#random.below(3) > 0, this.#random.below(2) === 0);
  };

  #approve({ agent, tool }: Asked, approved: boolean, approve_all: boolean): void {
    this.#call({ approve: { agent_id: agent, tool_id: tool, approved, approve_all } });
  }

  readonly #cancel = (): void => {
    const request_id = pick(this.#random, [...[...this.#requests.keys()].slice(-4), 'none']);
    this.#call({ cancel: { request_id, reason: pick(this.#random, ['user_requested', 'too slow']) } });
  };

  readonly #other = (): void => {
    const thread_id = `t1 ${pick(this.#random, this.agents)}`;
    this.#call(
      pick<JsonObject>(this.#random, [{ agents: {} }, { stats: {} }, { thread_usage: { thread_id } }]),
    );
  };
}
