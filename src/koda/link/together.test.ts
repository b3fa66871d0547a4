/** The reference engine and the reference client together, on random directives and policies. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Codec, PeerCommand, Role, RoleInput } from '../../kit/base/index.ts';
import { seededRandom } from '../../kit/world/index.ts';
import { client } from '../client/client.ts';
import type { ClientState } from '../client/client.ts';
import type { ClientOptions } from '../client/state.ts';
import { anyStep } from '../directive.test-helper.ts';
import { commandCodec, eventCodec } from '../codec.ts';
import { directive } from '../directive.ts';
import type { Step } from '../directive.ts';
import { engine } from '../engine/engine.ts';
import type { EngineCommand, EngineEvent } from '../messages.ts';

/** A role whose inputs and outputs are written down. */
class Player<S, In, Out> {
  readonly inputs: [RoleInput<In, PeerCommand<Out>>, number][] = [];
  readonly outputs: unknown[] = [];
  readonly timers = new Map<string, number>();
  readonly inbox: RoleInput<In, PeerCommand<Out>>[] = [];
  send: (message: Out) => void = () => {};
  #state: S;
  readonly #role: Role<S, In, Out, PeerCommand<Out>>;

  constructor(role: Role<S, In, Out, PeerCommand<Out>>) {
    this.#role = role;
    this.#state = role.start();
  }

  /** Checks that a new role has the same outputs for the same inputs. */
  replays(role: Role<S, In, Out, PeerCommand<Out>>): void {
    const again = new Player(role);
    for (const [input, now] of this.inputs) again.give(input, now);
    expect(again.outputs).toEqual(this.outputs);
  }

  give(input: RoleInput<In, PeerCommand<Out>>, now: number): void {
    // A copy: the role must not depend on the identity of a message.
    this.inputs.push([structuredClone(input), now]);
    const { state, outputs } = this.#role.step(this.#state, input, now);
    this.#state = state;
    for (const output of outputs) {
      this.outputs.push(structuredClone(output));
      if (output.type === 'start_timer') this.timers.set(output.id, now + output.ms);
      else if (output.type === 'stop_timer') this.timers.delete(output.id);
      else if (output.type === 'send') this.send(output.message);
    }
  }
}

type Event = EngineEvent | EngineCommand;

/** The message after its way over the wire, which loses nothing (KODA-80). */
function carried<M>(codec: Codec<M>, message: M): M {
  const decoded = codec.decode(codec.encode(message));
  expect(decoded).toMatchObject({ ok: true, value: { message } });
  return decoded.ok ? decoded.value.message : message;
}

/** Both roles on a pump; see {@link play}. */
class Pump {
  readonly log: Event[] = [];
  readonly engine = new Player(engine({ seed: 'together' }));
  readonly client: Player<ClientState, EngineEvent, EngineCommand>;
  now = 0;
  full = false;

  constructor(options: Partial<ClientOptions>) {
    this.client = new Player(client(options));
    this.engine.send = (message) => {
      this.log.push(message);
      this.client.inbox.push({ type: 'message', peer: 'c', message: carried(eventCodec, message) });
    };
    this.client.send = (message) => {
      this.log.push(message);
      this.engine.inbox.push({ type: 'message', peer: 'e', message: carried(commandCodec, message) });
    };
    this.engine.give({ type: 'opened', peer: 'e', metadata: {} }, 0);
    this.client.give({ type: 'opened', peer: 'c', metadata: {} }, 0);
  }

  /** The carrier of the engine is full, or has room again. */
  load(full: boolean): void {
    this.full = full;
    this.engine.give({ type: full ? 'full' : 'drained', peer: 'e' }, this.now);
  }

  order(message: EngineCommand): void {
    this.client.give({ type: 'command', command: { do: 'send', message } }, this.now);
  }

  /** Delivers one message, of either side. @returns whether there was one */
  deliver(toEngine: boolean): boolean {
    const command = toEngine || this.client.inbox.length === 0 ? this.engine.inbox.shift() : undefined;
    if (command !== undefined) this.engine.give(command, this.now);
    const event = command === undefined ? this.client.inbox.shift() : undefined;
    if (event !== undefined) this.client.give(event, this.now);
    return command !== undefined || event !== undefined;
  }

  /** Fires the next timer. @returns whether there was one */
  fire(): boolean {
    const [timer] = [...this.engine.timers].sort(([, a], [, b]) => a - b);
    if (timer === undefined) return false;
    this.engine.timers.delete(timer[0]);
    this.now = Math.max(this.now, timer[1]);
    this.engine.give({ type: 'timer', id: timer[0] }, this.now);
    return true;
  }
}

/** Plays both roles, with commands at times that `pick` chooses, until neither has anything to do. */
function play(
  options: Partial<ClientOptions>,
  extra: readonly EngineCommand[],
  pick: (n: number) => number,
): Pump {
  const pump = new Pump(options);
  const more = [...extra];
  for (let i = 0; i < 100_000; i++) {
    const chance = pick(24);
    if (chance === 1) pump.load(!pump.full);
    const command = chance === 2 ? more.shift() : undefined;
    if (command !== undefined) pump.order(command);
    else if (pump.deliver(pick(2) === 0) || pump.fire()) continue;
    else if (pump.full) pump.load(false);
    else {
      const last = more.shift();
      if (last === undefined) return pump;
      pump.order(last);
    }
  }
  throw new Error('the roles never come to rest');
}

/** No choice: messages to the client come first. */
const plainly = (): number => 0;

const policies = fc.record({
  approval: fc.constantFrom<ClientOptions['approval']>('approve', 'reject', { feedback: 'no' }),
  cap: fc.constantFrom<ClientOptions['cap']>('stop', 'continue50', 'continue200'),
});

const plain = fc.constantFrom('hi', '', '{"wireproof":1}', '{"wireproof":{"do":[{"dance":1}]}}');
const prompts = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: plain },
    { weight: 4, arbitrary: fc.array(anyStep, { maxLength: 6 }).map(directive) },
  ),
  { minLength: 1, maxLength: 4 },
);
const prompt = (text: string): EngineCommand => ({ type: 'user_prompt', text, images: [] });
const strayCommand: fc.Arbitrary<EngineCommand> = fc.oneof(
  fc.constantFrom<EngineCommand[]>(
    { type: 'loop_decision', action: 'stop' },
    { type: 'approval_response', id: 'x', decision: { decision: 'approve' } },
    { type: 'ask_user_response', id: 'x', answer: 'y' },
    { type: 'slash_command', cmd: 'compact' },
    { type: 'slash_command', cmd: 'set_trust', mode: 'safe' },
    { type: 'slash_command', cmd: 'inject_prompt', text: 'hi' },
  ),
  plain.map(prompt),
);

const interrupt: EngineCommand = { type: 'interrupt' };

const isPrompt = (message: Event): boolean =>
  message.type === 'user_prompt' || (message.type === 'slash_command' && message.cmd === 'inject_prompt');

/** The events that may come outside of turns. */
const beside = new Set(['info', 'warn', 'status_update', 'context_usage']);

/** Checks that the turns do not overlap, and that each event of a turn is in one (KODA-23, 25). @returns their number */
function turnsIn(log: readonly Event[]): number {
  let [turn, turns]: [string | undefined, number] = [undefined, 0];
  for (const event of log) {
    if (event.type === 'turn_start') {
      expect(turn).toBeUndefined();
      turn = event.turn_id;
    } else if (event.type === 'turn_end') {
      expect(event.turn_id).toBe(turn);
      turn = undefined;
      turns++;
    } else if (turn === undefined && !commandTypes.has(event.type)) expect([...beside]).toContain(event.type);
  }
  expect(turn).toBeUndefined();
  return turns;
}

const commandTypes = new Set([
  ...[
    'user_prompt',
    'interrupt',
    'quit',
    'ask_user_response',
    'approval_response',
    'loop_decision',
    'slash_command',
  ],
]);

/** Enough interrupts to end every turn that waits for one. */
const interrupts = Array.from({ length: 60 }, () => interrupt);

describe('the engine and the client together', () => {
  it('run one turn for each prompt; turns do not overlap, and the queue outlives interrupts (KODA-23, 25, 76, 77)', () => {
    fc.assert(
      fc.property(
        prompts,
        policies,
        fc.array(fc.oneof(strayCommand, fc.constant(interrupt)), { maxLength: 8 }),
        fc.string(),
        (texts, policy, stray, seed) => {
          const random = seededRandom(seed);
          const { log } = play({ ...policy, prompts: texts }, [...stray, ...interrupts], (n) =>
            random.below(n),
          );
          expect(turnsIn(log)).toBe(log.filter(isPrompt).length);
        },
      ),
      { seed: 1, numRuns: 300 },
    );
  });

  it('end every turn without a person, unless a directive waits for an interrupt (KODA-55 to 57, 63)', () => {
    const isFree = (step: Step): boolean =>
      !('cancel_point' in step) && !('tool' in step && step.tool.hold === true);
    const free = fc.array(anyStep, { maxLength: 8 }).map((steps) => directive(steps.filter(isFree)));
    fc.assert(
      fc.property(fc.array(free, { minLength: 1, maxLength: 3 }), policies, (texts, policy) => {
        const { log } = play({ ...policy, prompts: texts }, [], plainly);
        expect(turnsIn(log)).toBe(texts.length);
        const requests = log.filter(({ type }) => /_request$|^loop_cap/.test(type)).length;
        const answers = log.filter(({ type }) => /_response$|^loop_decision/.test(type)).length;
        expect(answers).toBe(requests);
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  it('end each turn that the client interrupts at any event (KODA-48, 49)', () => {
    fc.assert(
      fc.property(prompts, policies, fc.integer({ min: 1, max: 30 }), (texts, policy, interruptAfter) => {
        const { log } = play({ ...policy, prompts: texts, interruptAfter }, interrupts, plainly);
        expect(turnsIn(log)).toBe(texts.length);
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  it('do the same for the same inputs', () => {
    fc.assert(
      fc.property(prompts, policies, (texts, policy) => {
        const options = { ...policy, prompts: texts };
        const first = play(options, interrupts, plainly);
        first.engine.replays(engine({ seed: 'together' }));
        first.client.replays(client(options));
      }),
      { seed: 4, numRuns: 100 },
    );
  });
});
