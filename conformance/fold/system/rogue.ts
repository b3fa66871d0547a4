/**
 * An agent that behaves badly in a simulated system: it registers late, twice or under a used id, responds to requests of
 * others, continues after the end, and sends unknown events. A gateway must tolerate all this.
 */
import type { JsonObject, PeerCommand } from '../../../src/kit/base/index.ts';
import { isObject } from '../../../src/kit/base/index.ts';
import type { Clock, Random, WireEvent } from '../../../src/kit/world/index.ts';
import { eventOf, scriptedRegister, terminalEvents } from '../../../src/fold/index.ts';
import { pick } from '../agent/storm/steps.ts';
import type { SystemWork } from './work.ts';

/** The part of the system that a rogue uses. */
export interface RogueWorld {
  readonly random: Random;
  readonly clock: Clock;
  readonly command: (command: PeerCommand<JsonObject>) => void;
  /** The requests of all agents. */
  readonly work: SystemWork;
}

/** Bytes with their length before them. The length must be below 128. */
const sized = (bytes: readonly number[]): number[] => [bytes.length, ...bytes];

/** An encoded response whose only event has a field number (20) that the schema does not know. */
function unknownEvent(id: string): number[] {
  const text = (value: string): number[] => sized([...new TextEncoder().encode(value)]);
  return [0x12, ...sized([0x0a, ...text(id), 0xa2, 0x01, ...text('unknown')])];
}

export class SystemRogue {
  readonly #world: RogueWorld;
  /** Its agent_id; empty before Welcome. */
  #id = '';
  /** Its active requests. */
  readonly #open = new Set<string>();
  /** Its ended requests. */
  readonly #ended: string[] = [];
  #isSilent = false;
  #n = 0;

  constructor(world: RogueWorld) {
    this.#world = world;
  }

  /** Takes an event of its wire. */
  saw(event: WireEvent): void {
    if (event.kind === 'open') this.#isSilent = false;
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

  /** Does a random action, right or wrong. */
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

  /** Ends its active requests. */
  settle(): void {
    for (const id of this.#open) this.#respond(id, { done: {} });
  }

  /** Notes the end of its stream. After a half-close it cannot send until the stream has ended. */
  #gone(how: WireEvent['kind']): void {
    this.#isSilent = how === 'half_close';
    this.#id = '';
    this.#open.clear();
  }

  /** Sends a first message, right or wrong. */
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
    this.#send({ register: { ...register, ...some } as JsonObject });
  }

  #leave(): void {
    this.#world.command({ do: 'end', status: { code: pick(this.#world.random, [0, 1]), message: '' } });
  }

  /** Sends events of a request at random times, possibly with its end, possibly with further events after it. */
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

  /** Responds to an ended request, an unknown one, or another agent's. */
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
    if (this.#isSilent) return;
    this.#world.command({ do: 'send', message });
  }

  #raw(bytes: Iterable<number>): void {
    if (this.#isSilent) return;
    this.#world.command({ do: 'raw', bytes: Uint8Array.from(bytes) });
  }
}
