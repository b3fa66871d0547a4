/**
 * An agent that behaves badly in a simulated system: it registers late, twice or under an id that is taken, answers
 * what it was not asked, goes on after the end, and says what no schema knows. What it does, a gateway must bear.
 */
import type { JsonObject, PeerCommand } from '../../../src/kit/base/index.ts';
import { isObject } from '../../../src/kit/base/index.ts';
import type { Clock, Random, WireEvent } from '../../../src/kit/world/index.ts';
import { eventOf, scriptedRegister, terminalEvents } from '../../../src/fold/index.ts';
import { pick } from '../agent/storm-steps.ts';
import type { SystemWork } from './work.ts';

/** What a rogue needs of its system. */
export interface RogueWorld {
  readonly random: Random;
  readonly clock: Clock;
  readonly command: (command: PeerCommand<JsonObject>) => void;
  /** What all agents were given to do. */
  readonly work: SystemWork;
}

/** Bytes behind their length, which is below 128. */
const sized = (bytes: readonly number[]): number[] => [bytes.length, ...bytes];

/** A response of protobuf whose only event is of a field that the schema does not have, 20. */
function unknownEvent(id: string): number[] {
  const text = (value: string): number[] => sized([...new TextEncoder().encode(value)]);
  return [0x12, ...sized([0x0a, ...text(id), 0xa2, 0x01, ...text('unknown')])];
}

/** See the file's head. */
export class SystemRogue {
  readonly #world: RogueWorld;
  /** The id it goes by; empty: not welcomed. */
  #id = '';
  /** Requests it was sent and has not ended, and those it has. */
  readonly #open = new Set<string>();
  readonly #ended: string[] = [];
  #mute = false;
  #n = 0;

  constructor(world: RogueWorld) {
    this.#world = world;
  }

  /** Something crossed its wire. */
  saw(event: WireEvent): void {
    if (event.kind === 'open') this.#mute = false;
    if (event.kind === 'end' || event.kind === 'reset' || event.kind === 'half_close') this.#gone(event.kind);
    if (event.kind !== 'message' || !isObject(event.message)) return;
    const { welcome, send_message: work, response } = event.message;
    if (isObject(welcome)) this.#id = String(welcome['agent_id']);
    else if (event.incoming && isObject(work)) this.#work(String(work['request_id']));
    else if (!event.incoming && isObject(response)) {
      const name = eventOf(response);
      const id = String(response['request_id']);
      if (name !== undefined && terminalEvents.has(name) && this.#open.delete(id)) this.#ended.push(id);
    }
  }

  /** Does something that it should not, or should. */
  act(): void {
    const { random, work } = this.#world;
    if (this.#id === '') return this.#come();
    pick(random, [
      () => this.#register(pick(random, [this.#id, ...work.agents()])),
      () => this.#stray(),
      () => this.#stray(),
      () => this.#acknowledge(),
      () => this.#call(),
      () => this.#send({ heartbeat: { timestamp_ms: '1' } }),
      () => this.#send({}),
      () => this.#raw([0xff, 0xff, 0xff]),
      () => this.#leave(),
    ])();
  }

  /** Ends what it was asked for. */
  settle(): void {
    for (const id of this.#open) this.#respond(id, { done: {} });
  }

  /** After a half-close there is nothing it can say until its stream has ended. */
  #gone(how: WireEvent['kind']): void {
    this.#mute = how === 'half_close';
    this.#id = '';
    this.#open.clear();
  }

  /** A first message: one that it ought to send, or one by which no stream may begin. */
  #come(): void {
    const { random, work } = this.#world;
    const id = pick(random, ['rogue', 'rogue', 'rogue', '', ...work.agents()]);
    pick(random, [
      () => this.#register(id),
      () => this.#register(id),
      () => this.#register(id),
      () => this.#send({ heartbeat: {} }),
      () => this.#raw([0xff, 0xff, 0xff]),
      () => this.#leave(),
    ])();
  }

  #register(agent_id: string): void {
    const features = pick(this.#world.random, [
      undefined,
      [],
      ['telepathy', 'token_usage'],
      ['cancellation', 'injection'],
    ]);
    const { protocol_features, ...register } = scriptedRegister({
      agent_id,
      ...(features && { features }),
    });
    const some = this.#world.random.below(4) === 0 ? {} : { protocol_features };
    this.#send({ register: { ...register, ...some } as unknown as JsonObject });
  }

  #leave(): void {
    this.#world.command({ do: 'end', status: { code: pick(this.#world.random, [0, 1]), message: '' } });
  }

  /** A request's events at random times, perhaps with its end, perhaps with more after it. */
  #work(id: string): void {
    const { random, clock } = this.#world;
    this.#open.add(id);
    const count = random.below(6);
    for (let i = 0; i < count; i++) {
      const say = random.below(5) === 0 ? this.#end : this.#say;
      clock.after(random.next() * 600, () => say(id));
    }
  }

  readonly #say = (id: string): void => {
    const n = `rogue ${++this.#n}`;
    const tool = `${this.#id} tool ${this.#n}`;
    const use = { id: tool, name: 'read', input_json: '{}' };
    const event = pick<JsonObject | undefined>(this.#world.random, [
      undefined,
      {},
      { text: `text ${n}` },
      { thinking: `thought ${n}` },
      { tool_use: use },
      { tool_approval_request: use },
      { tool_state: { id: tool, state: 42 } },
      { tool_result: { id: tool, output: n, is_error: true } },
      { usage: { input_tokens: 3, output_tokens: this.#n } },
      { session_init: { session_id: n } },
      { session_orphaned: { reason: n } },
    ]);
    if (event === undefined) this.#raw(unknownEvent(id));
    else this.#respond(id, event);
  };

  readonly #end = (id: string): void => {
    const n = `rogue ${++this.#n}`;
    this.#respond(
      id,
      pick<JsonObject>(this.#world.random, [
        { done: { full_response: '' } },
        { error: `error ${n}` },
        { cancelled: { reason: n } },
      ]),
    );
  };

  /** Answers what is over, what nobody asked, or what another was asked. */
  #stray(): void {
    const { random, work } = this.#world;
    const others = work.requests().slice(-6);
    const id = pick(random, [...this.#ended.slice(-3), ...this.#ended.slice(-3), ...others, 'none', '']);
    pick(random, [this.#say, this.#end])(id);
  }

  #acknowledge(): void {
    const { random } = this.#world;
    const injection_id = pick(random, ['none', '', 'id-3']);
    this.#send({ injection_ack: { injection_id, accepted: random.below(2) === 0, reason: 'why not' } });
  }

  #call(): void {
    const { random } = this.#world;
    const request_id = `call-${random.below(4)}`;
    const tool_name = pick(random, ['search', 'vault', 'none']);
    this.#send({
      execute_pack_tool: { request_id, tool_name, input_json: pick(random, ['{"q":1}', '{}', 'no JSON']) },
    });
  }

  #respond(request_id: string, event: JsonObject): void {
    this.#send({ response: { request_id, ...event } });
  }

  #send(message: JsonObject): void {
    if (this.#mute) return;
    this.#world.command({ do: 'send', message });
  }

  #raw(bytes: Iterable<number>): void {
    if (this.#mute) return;
    this.#world.command({ do: 'raw', bytes: Uint8Array.from(bytes) });
  }
}
