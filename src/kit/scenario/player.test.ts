/** The player: sends and waits as a scenario says, misses nothing that came meanwhile, and ends when a wait is not met. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, Scenario, ScenarioStep, TraceEvent } from '../base/index.ts';
import { VirtualClock, seededRandom } from '../world/index.ts';
import { Player } from './player.ts';
import type { ScenarioEnd, ScenarioWait } from './stage.ts';

const blank = { at: 0, wire: 'x', conn: 'c', stream: 's', to: 'kit' } as const;

/** A scenario on a stage where the target says what the test has it say. */
class Theatre {
  readonly clock = new VirtualClock();
  readonly events: TraceEvent[] = [];
  /** What the scenario did, in order. */
  readonly did: string[] = [];
  played: ScenarioEnd | undefined;
  /** Until when a requirement awaits an event (ms on the clock). */
  awaitedUntil = 0;
  /** The delay of a busy machine so far (ms). */
  delay = 0;
  readonly #player: Player;
  /** Hears what the scenario sends, as a target that answers at once would. */
  onSend: (message: JsonObject) => void = () => {};

  constructor(
    steps: readonly ScenarioStep[],
    variables: { readonly [name: string]: unknown } = {},
    more: Partial<Scenario> = {},
  ) {
    const scenario: Scenario = {
      ...{ name: 'test', title: '', suite: 'x', needs: { drive: [], features: [] }, exercises: [] },
      ...{ fresh: false, alone: false, last: false, reference: {}, peers: {}, steps, ...more },
    };
    const { clock, events, did } = this;
    this.#player = new Player({
      scenario,
      stage: {
        ...{ clock, events },
        send: (peer, message, unknown) => {
          did.push(
            `${peer} sends ${JSON.stringify(message)}${unknown.map(({ field, hex }) => ` ${field} ${hex}`).join('')}`,
          );
          this.onSend(message);
        },
        raw: (peer, bytes) => did.push(`${peer} raw ${Buffer.from(bytes).toString('hex')}`),
        end: (peer, code, message) => did.push(`${peer} ends ${code} ${message}`),
        stop: () => {},
        fault: (peer, fault) => did.push(`${peer} fault ${JSON.stringify(fault)}`),
        mark: (data) => this.event({ kind: 'mark', from: 'kit', data }),
        delay: () => this.delay,
        openWait: () => Math.max(0, this.awaitedUntil - clock.now()),
      },
      random: seededRandom('7'),
      variables: { timeouts: { step: 1000 }, ...variables },
      ended: (played) => (this.played = played),
    });
    this.#player.start();
  }

  get waiting(): ScenarioWait | undefined {
    return this.#player.waiting;
  }

  /** Something crosses the wire. */
  event(event: Pick<TraceEvent, 'kind' | 'from' | 'data'>): void {
    this.events.push({ ...blank, seq: this.events.length, ...event });
    // The constructor's own mark comes before the player is there.
    (this.#player as Player | undefined)?.heard();
  }

  /** The target sends messages. */
  target(...messages: JsonObject[]): this {
    for (const data of messages) this.event({ kind: 'message', from: 'target', data });
    return this;
  }

  /** The target ends the operator's call `send` with an error. */
  fails(): this {
    this.event({ kind: 'end', from: 'target', data: { code: 3 } });
    const event = this.events.at(-1);
    if (event !== undefined) this.#player.callFailed(event, { verb: 'send', status: '3 invalid thread_id' });
    return this;
  }

  interrupt(): void {
    this.#player.abort('stopped', { interrupted: true });
  }

  hurry(ms: number): this {
    this.#player.hurry(ms);
    return this;
  }

  pass(ms: number): this {
    const until = this.clock.now() + ms;
    this.clock.after(ms, () => {});
    this.clock.run(() => this.clock.now() >= until);
    return this;
  }
}

const say = (text: string): ScenarioStep => ({ send: { from: 'gateway', message: { text } } });
const wait = (match: JsonObject, more: object = {}): ScenarioStep => ({
  await: { from: 'target', match, ...more },
});
const sent = (theatre: Theatre): string[] => theatre.did.flatMap((d) => /"text":"(\w+)"/.exec(d)?.[1] ?? []);

describe('steps', () => {
  it('are done in order, and the scenario is done after the last', () => {
    const theatre = new Theatre([
      { send: { from: 'gateway', message: { a: 1 }, unknown: [{ field: 31, wire_type: 2, hex: '6869' }] } },
      { raw: { from: 'gateway', hex: '0aff' } },
      { fault: { on: 'gateway', kind: 'cut' } },
      { fault: { on: 'gateway', kind: 'stall', for: '2s' } },
      { fault: { on: 'gateway', kind: 'split', size: 3 } },
      { end: { from: 'gateway', code: 13, message: 'why' } },
    ]);
    expect(theatre.did).toEqual([
      'gateway sends {"a":1} 31 6869',
      'gateway raw 0aff',
      'gateway fault {"kind":"cut"}',
      'gateway fault {"kind":"stall","ms":2000}',
      'gateway fault {"kind":"split","size":3}',
      'gateway ends 13 why',
    ]);
    expect(theatre.played).toEqual({ outcome: 'done' });
  });

  it('have their variables filled in; uuid and nonce are made anew each time', () => {
    const make: ScenarioStep = {
      send: { from: 'g', message: { id: '$id', n: '$n' } },
      as: { id: 'uuid', n: 'nonce' },
    };
    const theatre = new Theatre([make, make, { send: { from: 'g', message: { again: '$id' } } }]);
    const [first, second, third] = theatre.did.map(
      (d) => JSON.parse(d.slice('g sends '.length)) as Record<string, string>,
    );
    expect(first?.['id']).toMatch(/^[0-9a-f]{8}-/);
    expect(first?.['n']).toMatch(/^n[0-9a-f]+$/);
    expect(second?.['id']).not.toBe(first?.['id']);
    expect(third?.['again']).toBe(second?.['id']);
  });

  it('are framed by marks of the scenario', () => {
    const { events } = new Theatre([]);
    expect(events.map((e) => e.data)).toEqual([
      { scenario: 'test', begin: true },
      { scenario: 'test', outcome: 'done' },
    ]);
  });
});

it('fills in the facts of a mark', () => {
  const { events } = new Theatre([{ mark: { gated: '$tool' } }], { tool: 'write' });
  expect(events[1]?.data).toEqual({ gated: 'write' });
});

describe('await', () => {
  it('continues at the first event that matches, by sender and by pattern', () => {
    const theatre = new Theatre([wait({ done: {} }), say('after')]);
    theatre.event({ kind: 'message', from: 'gateway', data: { done: {} } });
    theatre.target({ text: 'x' });
    expect(sent(theatre)).toEqual([]);
    theatre.target({ done: {} });
    expect(sent(theatre)).toEqual(['after']);
    expect(theatre.played?.outcome).toBe('done');
  });

  it('ends the scenario at its time limit, and names the missing event', () => {
    const theatre = new Theatre([say('first'), wait({ done: {} }, { within: '500ms' }), say('never')]).pass(
      499,
    );
    expect(theatre.played).toBeUndefined();
    theatre.pass(1).target({ done: {} });
    expect(theatre.played?.outcome).toBe('ended-early');
    expect(theatre.played?.reason).toMatch(/done.*target.*500 ms.*step 2/);
    expect(sent(theatre)).toEqual(['first']);
    expect(theatre.events.filter((e) => e.data['outcome'] === 'ended-early').length).toBe(1);
  });

  it('waits as long as the variable says, or the step timeout', () => {
    const late = (step: ScenarioStep, ms: number): Theatre =>
      new Theatre([step], { timeouts: { step: 1000, cancel: 300 } }).pass(ms);
    expect(late(wait({ x: 1 }, { within: '$timeouts.cancel' }), 299).played).toBeUndefined();
    expect(late(wait({ x: 1 }, { within: '$timeouts.cancel' }), 300).played?.outcome).toBe('ended-early');
    expect(late(wait({ x: 1 }), 999).played).toBeUndefined();
    expect(late(wait({ x: 1 }), 1000).played?.outcome).toBe('ended-early');
  });

  it('waits only a short time after the event of soon', () => {
    const step: ScenarioStep = {
      await: { from: 'target', match: { end: {} }, within: '500ms' },
      soon: { after: { from: 'target', match: { last: {} } }, within: '20ms' },
    };
    expect(new Theatre([step]).pass(100).target({ last: {} }).pass(19).played).toBeUndefined();
    expect(new Theatre([step]).pass(100).target({ last: {} }).pass(20).played?.outcome).toBe('ended-early');
    expect(new Theatre([step]).target({ last: {} }).pass(20).played?.outcome).toBe('ended-early');
    expect(new Theatre([step]).target({ last: {} }).pass(19).target({ end: {} }).played?.outcome).toBe(
      'done',
    );
    expect(new Theatre([step]).pass(490).target({ last: {} }).pass(10).played?.outcome).toBe('ended-early');
    // The event came before the step began.
    const before = new Theatre([wait({ first: {} }), step]).target({ last: {} });
    expect(before.target({ first: {} }, { last: {} }).pass(20).played?.outcome).toBe('ended-early');
  });

  it('that is optional goes on when its time is over', () => {
    const theatre = new Theatre([wait({ x: 1 }, { within: '10ms', optional: true }), say('after')]).pass(10);
    expect(sent(theatre)).toEqual(['after']);
  });

  it('accepts a match of else', () => {
    const step: ScenarioStep = {
      await: { from: 'target', match: { tool_state: {} } },
      else: { await: { from: 'target', match: { tool_use: {} } } },
    };
    expect(sent(new Theatre([step, say('after')]).target({ tool_use: {} }))).toEqual(['after']);
    expect(sent(new Theatre([step, say('after')]).target({ tool_state: {} }))).toEqual(['after']);
    expect(new Theatre([step]).target({ text: 'x' }).played).toBeUndefined();
    // What the step awaited has not come.
    expect(new Theatre([step]).target({ tool_use: {} }).played).toEqual({ outcome: 'done' });
  });

  it('takes one of several patterns, or an event of a kind', () => {
    const either = wait({}, { match: [{ done: {} }, { error: '$any' }] });
    expect(new Theatre([either]).target({ error: 'no' }).played?.outcome).toBe('done');
    const closed: ScenarioStep = { await: { from: 'target', kind: ['half_close', 'reset'] } };
    const theatre = new Theatre([closed]).target({ done: {} });
    expect(theatre.played).toBeUndefined();
    theatre.event({ kind: 'reset', from: 'target', data: {} });
    expect(theatre.played?.outcome).toBe('done');
  });

  it('waits for `times` matches', () => {
    const theatre = new Theatre([wait({ text: '$any' }, { times: 3 })]).target({ text: 'a' }, { text: 'b' });
    expect(theatre.played).toBeUndefined();
    expect(theatre.target({ text: 'c' }).played?.outcome).toBe('done');
  });

  it('ends with a match of else before `times` is reached', () => {
    const step: ScenarioStep = {
      await: { from: 'target', match: { text: '$any' }, times: 3 },
      else: { await: { from: 'target', kind: 'reset' } },
    };
    const theatre = new Theatre([step]).target({ text: 'a' });
    theatre.event({ kind: 'reset', from: 'target', data: {} });
    expect(theatre.played?.outcome).toBe('done');
  });

  it('takes variables from the event', () => {
    const theatre = new Theatre([
      { await: { from: 'target', match: { tool: {} } }, as: { id: 'tool.id' } },
      { send: { from: 'g', message: { approve: '$id' } } },
    ]).target({ tool: { id: 't-1' } });
    expect(theatre.did).toEqual(['g sends {"approve":"t-1"}']);
  });

  it('misses no event between two steps', () => {
    const theatre = new Theatre([wait({ n: 1 }), { quiet: { for: '50ms' } }, wait({ n: 2 }), wait({ n: 3 })]);
    theatre.target({ n: 1 }, { n: 2 }).pass(60).target({ n: 3 });
    expect(theatre.played?.outcome).toBe('done');
  });

  it('ignores events before the end of the step before', () => {
    const theatre = new Theatre([wait({ n: 2 }), wait({ n: 1 })]).target({ n: 1 }, { n: 2 });
    expect(theatre.played).toBeUndefined();
  });

  it('hears a target that answers while the message is being sent', () => {
    const theatre = new Theatre([wait({ go: 1 }), say('ping'), wait({ pong: 1 })]);
    theatre.onSend = () => void theatre.target({ pong: 1 });
    theatre.target({ go: 1 });
    expect(theatre.played?.outcome).toBe('done');
  });
});

describe('strands', () => {
  const branch = (n: number): ScenarioStep[] => [wait({ n }), say(`after${n}`)];

  it('of a parallel go on by themselves, and the scenario when all are done', () => {
    const theatre = new Theatre([{ parallel: [branch(1), branch(2)] }, say('joined')]).target({ n: 2 });
    expect(sent(theatre)).toEqual(['after2']);
    expect(sent(theatre.target({ n: 1 }))).toEqual(['after2', 'after1', 'joined']);
    expect(theatre.played?.outcome).toBe('done');
  });

  it('each see the same events: none takes one away from another', () => {
    const theatre = new Theatre([{ parallel: [branch(1), branch(1)] }]).target({ n: 1 });
    expect(sent(theatre)).toEqual(['after1', 'after1']);
  });

  it('wait for one another at a barrier', () => {
    const steps = (n: number): ScenarioStep[] => [wait({ n }), { barrier: 'here' }, say(`past${n}`)];
    const theatre = new Theatre([{ parallel: [steps(1), steps(2), steps(3)] }]).target({ n: 1 }, { n: 3 });
    expect(sent(theatre)).toEqual([]);
    expect(sent(theatre.target({ n: 2 })).sort()).toEqual(['past1', 'past2', 'past3']);
    expect(theatre.played?.outcome).toBe('done');
  });

  it('end together when one of them waits too long', () => {
    const theatre = new Theatre([{ parallel: [branch(1), [wait({ n: 2 }, { within: '10ms' })]] }]).pass(10);
    theatre.target({ n: 1 });
    expect([theatre.played?.outcome, sent(theatre)]).toEqual(['ended-early', []]);
  });

  it('of a repeat run the same steps several times, or not at all', () => {
    const round: ScenarioStep[] = [say('ping'), wait({ pong: 1 })];
    const theatre = new Theatre([{ repeat: { times: 3, steps: round } }, say('end')]);
    for (let i = 0; i < 3; i++) theatre.target({ pong: 1 });
    expect(sent(theatre)).toEqual(['ping', 'ping', 'ping', 'end']);
    expect(sent(new Theatre([{ repeat: { times: 0, steps: round } }, say('end')]))).toEqual(['end']);
  });

  it('of a repeat begin no further round once its event has come, and a later step can await that event', () => {
    const round: ScenarioStep[] = [say('ping'), { quiet: { for: '10ms' } }, say('pong')];
    const until = { from: 'target', match: { ready: '$who' } };
    const steps = [{ repeat: { times: 9, until, steps: round } }, wait({ ready: 'me' }), say('end')];
    const theatre = new Theatre(steps, { who: 'me' }).pass(10);
    expect(sent(theatre)).toEqual(['ping', 'pong', 'ping']);
    theatre.target({ ready: 'you' }).pass(10);
    expect(sent(theatre).slice(3)).toEqual(['pong', 'ping']);
    theatre.target({ ready: 'me' }).pass(10);
    expect(sent(theatre).slice(5)).toEqual(['pong', 'end']);
    expect(theatre.played?.outcome).toBe('done');
  });

  it('do not wait at a barrier for a finished branch', () => {
    const theatre = new Theatre([{ parallel: [[say('a')], [{ barrier: 'here' }, say('b')]] }]).pass(60_000);
    expect(theatre.played).toBeDefined();
  });
});

describe('quiet', () => {
  it('lets time pass, and ignores events', () => {
    const theatre = new Theatre([{ quiet: { for: '300ms' } }, say('after')]).target({ n: 1 }).pass(299);
    expect(sent(theatre)).toEqual([]);
    expect(sent(theatre.pass(1))).toEqual(['after']);
  });

  it('is longer where times are scaled', () => {
    const theatre = new Theatre([{ quiet: { for: '300ms' } }], { timeout_scale: 2 }).pass(599);
    expect(theatre.played).toBeUndefined();
    expect(theatre.pass(1).played?.outcome).toBe('done');
  });
});

describe('a failed call of the operator', () => {
  const text = { await: { from: 'target', match: { text: {} } } };
  const end = { await: { from: 'target', kind: 'end' as const } };

  it('ends the scenario at once, with the status', () => {
    expect(new Theatre([text]).fails().played).toMatchObject({
      outcome: 'ended-early',
      reason: "the operator's send ended with an error: 3 invalid thread_id",
    });
  });

  it('is an ordinary event where the scenario awaits it, now or later', () => {
    expect(new Theatre([end]).fails().played).toMatchObject({ outcome: 'done' });
    expect(new Theatre([{ ...text, else: end }]).fails().played).toMatchObject({ outcome: 'done' });
    const later = new Theatre([{ quiet: { for: '10ms' } }, { repeat: { times: 1, steps: [end] } }]).fails();
    expect(later.played).toBeUndefined();
    expect(later.pass(20).played).toMatchObject({ outcome: 'done' });
    const branches = new Theatre([{ parallel: [[text], [end]] }]).fails();
    expect(branches.played).toBeUndefined();
  });

  it('is an ordinary event where the scenario says that the call may fail', () => {
    expect(new Theatre([text], {}, { may_fail: ['send'] }).fails().played).toBeUndefined();
    expect(new Theatre([text], {}, { may_fail: ['approve'] }).fails().played?.outcome).toBe('ended-early');
  });
});

describe('a wait', () => {
  it('is known while it lasts, and names its timeout when it was not met', () => {
    const answer = { await: { from: 'target', match: { text: {} }, within: '$timeouts.answer' } };
    const theatre = new Theatre([{ quiet: { for: '10ms' } }, answer], { timeouts: { answer: 500 } });
    expect(theatre.waiting).toBeUndefined();
    expect(theatre.pass(20).waiting).toEqual({ text: 'text', since: 10, within: 500 });
    expect(theatre.pass(600).played).toMatchObject({ outcome: 'ended-early', unmet: 'answer' });
    expect(theatre.waiting).toBeUndefined();
  });
});

describe('a hurried scenario', () => {
  const theatre = (within: string): Theatre =>
    new Theatre([say('a'), wait({ text: 'b' }, { within }), say('c')]).pass(500).hurry(2000);

  it('waits no longer than the time that is left to it, and says which event did not come', () => {
    const hurried = theatre('120s').pass(1999);
    expect(hurried.played).toBeUndefined();
    expect(hurried.pass(1).played).toMatchObject({ outcome: 'ended-early', missing: 'text "b"' });
    expect(hurried.played?.reason).toBe('no text "b" came from target within 2500 ms (step 2)');
  });

  it('goes on with an event that comes in this time', () => {
    const hurried = theatre('120s').pass(1000).target({ text: 'b' });
    expect(sent(hurried)).toEqual(['a', 'c']);
    expect(hurried.played).toEqual({ outcome: 'done', met: new Set(['text "b"']) });
  });

  it('keeps a shorter wait', () => {
    expect(theatre('1s').pass(500).played?.reason).toBe(
      'no text "b" came from target within 1000 ms (step 2)',
    );
  });
});

describe('a wait while a requirement awaits an event', () => {
  const theatre = (more: object = {}): Theatre => {
    const made = new Theatre([say('a'), wait({ text: 'b' }, { within: '1s', ...more }), say('c')]);
    made.awaitedUntil = 120_000;
    return made;
  };

  it('goes on until the requirement has lost its patience', () => {
    expect(theatre().pass(119_999).played).toBeUndefined();
    expect(theatre().pass(120_001).played?.reason).toBe(
      'no text "b" came from target within 120000 ms (step 2)',
    );
  });

  it('goes on with an event that comes in this time', () => {
    expect(theatre().pass(100_000).target({ text: 'b' }).played?.outcome).toBe('done');
  });

  it('goes on from the last event, not from the send', () => {
    const late = theatre().pass(100_000);
    late.awaitedUntil = 220_000;
    expect(late.target({ text: 'x' }).pass(100_000).played).toBeUndefined();
    expect(late.pass(20_000).played?.outcome).toBe('ended-early');
  });

  it('ends at once when the requirement has its event', () => {
    const settled = theatre().pass(5000);
    settled.awaitedUntil = 0;
    expect(settled.target({ text: 'x' }).pass(1).played?.outcome).toBe('ended-early');
  });

  it('asks the requirements ten times a second at most, however much the target sends', () => {
    const flooded = theatre().pass(5000);
    let asked = 0;
    Object.defineProperty(flooded, 'awaitedUntil', { get: () => (asked++, 120_000) });
    for (let n = 0; n < 1000; n++) flooded.target({ text: 'x' });
    expect(asked).toBe(1);
  });

  it('ends after ten minutes with a target that never stops', () => {
    const endless = theatre();
    endless.awaitedUntil = Infinity;
    expect(endless.pass(599_000).played).toBeUndefined();
    expect(endless.pass(2000).played?.outcome).toBe('ended-early');
  });

  it('keeps the time of an optional step', () => {
    expect(sent(theatre({ optional: true }).pass(1000))).toEqual(['a', 'c']);
  });
});

describe('on a busy machine', () => {
  it('a wait lasts longer by the delay, and says so', () => {
    const held = new Theatre([say('a'), wait({ text: 'b' }, { within: '1s' }), say('c')]);
    held.delay = 700;
    expect(held.pass(1600).played).toBeUndefined();
    expect(held.pass(200).played?.reason).toBe(
      'no text "b" came from target within 1700 ms (step 2); the machine was busy for 700 ms of this time',
    );
  });

  it('a wait is not longer by an earlier delay', () => {
    const held = new Theatre([say('a'), { quiet: { for: '1s' } }, wait({ text: 'b' }, { within: '1s' })]);
    held.delay = 700;
    held.pass(1701);
    expect(held.pass(1001).played?.reason).toBe('no text "b" came from target within 1000 ms (step 3)');
  });

  it('a quiet time lasts longer by the delay', () => {
    const held = new Theatre([say('a'), { quiet: { for: '1s' } }, say('b')]);
    held.delay = 700;
    expect(sent(held.pass(1600))).toEqual(['a']);
    expect(sent(held.pass(200))).toEqual(['a', 'b']);
  });

  it('a quiet time ends although the machine does nothing else', () => {
    const held = new Theatre([say('a'), { quiet: { for: '50ms' } }, say('b')]);
    // All the time that passes is a delay.
    Object.defineProperty(held, 'delay', { get: () => held.clock.now() });
    expect(sent(held.pass(1500))).toEqual(['a']);
    expect(sent(held.pass(100))).toEqual(['a', 'b']);
  });
});

it('a scenario that the user interrupts says so in a member of its mark', () => {
  const theatre = new Theatre([wait({ text: 'b' })]);
  theatre.interrupt();
  expect(theatre.events.at(-1)?.data).toEqual({
    scenario: 'test',
    outcome: 'ended-early',
    reason: 'stopped',
    interrupted: true,
  });
});
