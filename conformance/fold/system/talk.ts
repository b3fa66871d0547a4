/** The random messages of a system's operator and packs, and the messages that let all requests end. */
import type { JsonObject, PeerCommand } from '../../../src/kit/base/index.ts';
import { isObject } from '../../../src/kit/base/index.ts';
import type { Clock, Random, WireEvent } from '../../../src/kit/world/index.ts';
import { directive } from '../../../src/fold/index.ts';
import { pick, stepsOf } from '../agent/storm/steps.ts';
import type { Asked, SystemWork } from './work.ts';

/** The part of the system that its operator and packs use. */
export interface TalkWorld {
  readonly random: Random;
  readonly clock: Clock;
  /** The requests of all agents. */
  readonly work: SystemWork;
  readonly command: (peer: string, command: PeerCommand<JsonObject>) => void;
}

/** Packs that the gateway must refuse besides the first, `pack`. */
const wrongPacks: readonly JsonObject[] = [
  { pack_id: 'pack', version: '2', tools: [{ name: 'other' }] },
  { pack_id: 'other', version: '1', tools: [{ name: 'search' }] },
  { pack_id: '', version: '1', tools: [] },
];

/** The manifest of the first pack. */
export const packText: JsonObject = {
  pack_id: 'pack',
  version: '1',
  tools: [
    { name: 'search', timeout_seconds: 1 },
    { name: 'vault', required_capabilities: ['vault'] },
  ],
};

export class SystemTalk {
  readonly #world: TalkWorld;
  /** The tools that wait for a decision, by agent and tool. */
  readonly #asked = new Map<string, Asked>();
  /** The streams of active calls. */
  readonly #open = new Set<string>();
  /** The streams of calls for all events, which never end. */
  readonly #watching = new Set<string>();
  #n = 0;

  constructor(world: TalkWorld) {
    this.#world = world;
  }

  /** The number of the operator's active calls, without the calls for all events. */
  open(): number {
    return this.#open.size;
  }

  /** Sends a random message. */
  say(): void {
    const often = this.#asked.size > 0 ? this.#decide : this.#request;
    pick(this.#world.random, [
      this.#request,
      this.#request,
      this.#request,
      this.#inject,
      often,
      this.#cancel,
      this.#other,
    ])();
  }

  /** Releases every silent agent with work, and approves every tool. */
  settle(): void {
    for (const agent_id of this.#world.work.quiet())
      this.#call({ inject: { agent_id, content: 'release', priority: 'immediate' } });
    for (const asked of this.#world.work.takeAsked()) this.#approve(asked, true, false);
  }

  /** Asks the gateway to stop. */
  shutdown(): void {
    this.#call({ shutdown: { reason: 'that was all' } });
  }

  /** Takes an event of the operator's or a pack's wire. */
  saw(peer: string, event: WireEvent): void {
    if (peer === 'operator') this.#answered(event);
    else if (event.incoming && event.kind === 'message' && isObject(event.message))
      this.#execute(peer, event.message);
  }

  #answered(event: WireEvent): void {
    if (event.kind === 'open') this.#open.add(event.stream);
    else if (event.kind === 'end' || event.kind === 'reset') this.#open.delete(event.stream);
    if (event.kind !== 'message' || !isObject(event.message)) return;
    const { tool_approval: ask, events } = event.message;
    if (events !== undefined && this.#open.delete(event.stream)) this.#watching.add(event.stream);
    if (isObject(ask) && typeof ask['id'] === 'string' && typeof ask['request_id'] === 'string') {
      const agent = this.#world.work.agentOf(ask['request_id']);
      this.#asked.set(`${agent} ${ask['id']}`, { agent, tool: ask['id'] });
    }
  }

  /** Lets a pack answer a call late, with an error, or never. */
  #execute(peer: string, { execute_tool: call }: Record<string, unknown>): void {
    if (!isObject(call) || typeof call['request_id'] !== 'string') return;
    const { request_id } = call;
    const { random, clock } = this.#world;
    const answer = pick(random, [
      { output_json: '{"found":1}' },
      { output_json: '{}' },
      { error: 'no luck' },
      undefined,
    ]);
    if (answer === undefined) return;
    const message: JsonObject = { tool_response: { request_id, ...answer } };
    clock.after(random.next() * 1500, () => this.#world.command(peer, { do: 'send', message }));
  }

  #call(message: JsonObject): void {
    this.#world.command('operator', { do: 'send', message });
  }

  /** A random agent. */
  #agent(): string {
    return pick(this.#world.random, this.#world.work.agents());
  }

  readonly #request = (): void => {
    const { random, work } = this.#world;
    const n = `r${++this.#n}`;
    const todo = Array.from({ length: 1 + random.below(5) }, (_, i) =>
      pick(random, [...stepsOf(`${n} ${i}`), { pack_tool: { name: pick(random, ['vault', 'none']) } }]),
    );
    const content = directive([{ think: `unique ${n}` }, ...todo]);
    const agent_id = pick(random, [...work.agents(), ...work.agents(), 'nobody']);
    const thread = pick(random, [{}, { thread_id: `t1 ${agent_id}` }, { thread_id: `t2 ${agent_id}` }]);
    this.#call({ send: { content, sender: 'storm', agent_id, ...thread } });
  };

  readonly #inject = (): void => {
    const { random } = this.#world;
    const content = random.below(3) === 0 ? 'release' : `injection ${++this.#n}`;
    const priority = pick(random, ['immediate', 'normal', 'deferred']);
    this.#call({ inject: { agent_id: this.#agent(), content, priority, source: 'storm' } });
  };

  readonly #decide = (): void => {
    const { random } = this.#world;
    const asked = pick(random, [...this.#asked.values(), { agent: this.#agent(), tool: 'none' }]);
    this.#approve(asked, random.below(3) > 0, random.below(2) === 0);
    // A second decision must have no effect.
    if (random.below(4) > 0) this.#asked.delete(`${asked.agent} ${asked.tool}`);
  };

  #approve({ agent, tool }: Asked, approved: boolean, approve_all: boolean): void {
    this.#call({ approve: { agent_id: agent, tool_id: tool, approved, approve_all } });
  }

  readonly #cancel = (): void => {
    const { random, work } = this.#world;
    const thread = { thread_id: `t1 ${this.#agent()}` };
    const request_id = pick(random, [...work.requests().slice(-4), 'none']);
    const which = random.below(6) === 0 ? thread : { request_id };
    this.#call({ cancel: { ...which, reason: pick(random, ['user_requested', 'too slow']) } });
  };

  readonly #other = (): void => {
    const { random, command } = this.#world;
    const thread_id = `t1 ${this.#agent()}`;
    pick(random, [
      () => this.#call({ agents: {} }),
      () => this.#call({ stats: {} }),
      () => this.#call({ thread_usage: { thread_id } }),
      () => this.#call({ thread_usage: { thread_id } }),
      () => this.#call({ events: {} }),
      () => command('operator', { do: 'end', status: { code: 1, message: '' } }),
      () => command('pack', { do: 'end', status: { code: 1, message: '' } }),
      () => command('pack', { do: 'send', message: { manifest: packText } }),
      () => command('pack2', { do: 'send', message: { manifest: pick(random, wrongPacks) } }),
    ])();
  };
}
