/** The hand that stirs a simulated system: what its operator and packs say, at random, and how it is brought to rest. */
import type { JsonObject, PeerCommand } from '../../../src/kit/base/index.ts';
import { isObject } from '../../../src/kit/base/index.ts';
import type { Clock, Random, WireEvent } from '../../../src/kit/world/index.ts';
import { directive } from '../../../src/fold/index.ts';
import { pick, stepsOf } from '../agent/storm-steps.ts';
import type { Asked, SystemWork } from './work.ts';

/** What a system's operator and packs need of it. */
export interface TalkWorld {
  readonly random: Random;
  readonly clock: Clock;
  /** What agents were given to do. */
  readonly work: SystemWork;
  readonly command: (peer: string, command: PeerCommand<JsonObject>) => void;
}

/** Packs that must not be taken beside the first, `pack`. */
const wrongPacks: readonly JsonObject[] = [
  { pack_id: 'pack', version: '2', tools: [{ name: 'other' }] },
  { pack_id: 'other', version: '1', tools: [{ name: 'search' }] },
  { pack_id: '', version: '1', tools: [] },
];

/** What the first pack says of itself. */
export const packText: JsonObject = {
  pack_id: 'pack',
  version: '1',
  tools: [
    { name: 'search', timeout_seconds: 1 },
    { name: 'vault', required_capabilities: ['vault'] },
  ],
};

/** See the file's head. */
export class SystemTalk {
  readonly #world: TalkWorld;
  /** The tools that wait for a decision, by agent and tool. */
  readonly #asked = new Map<string, Asked>();
  /** Calls that have not ended, by their streams; and those that only watch, which never do. */
  readonly #open = new Set<string>();
  readonly #watching = new Set<string>();
  #n = 0;

  constructor(world: TalkWorld) {
    this.#world = world;
  }

  /** Calls of the operator's that have not ended, and should. */
  open(): number {
    return this.#open.size;
  }

  /** Says something. */
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

  /** Lets every agent that has work and says nothing go on, and decides about every tool. */
  settle(): void {
    for (const agent_id of this.#world.work.quiet())
      this.#call({ inject: { agent_id, content: 'release', priority: 'immediate' } });
    for (const asked of this.#world.work.takeAsked()) this.#approve(asked, true, false);
  }

  /** Asks the gateway to stop. */
  shutdown(): void {
    this.#call({ shutdown: { reason: 'that was all' } });
  }

  /** Something crossed the wire of the operator or a pack. */
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

  /** A pack answers a call after a while, badly, or never. */
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

  /** One of the agents that there are. */
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
    // Mostly once; now and then again, which must do nothing.
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
