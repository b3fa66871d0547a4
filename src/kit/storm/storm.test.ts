/** Storms of a made-up protocol: a peer is told to add numbers, and its one requirement says that no sum is above 100. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exercised, rule, violated } from '../judge/index.ts';
import type { Judging } from '../judge/index.ts';
import { VirtualClock } from '../world/index.ts';
import { StormWatch, action, actions, conversationOf, judgeOf, passTime, playStorm } from './index.ts';
import type { Fail, StormKind, StormWorld } from './index.ts';

const judging: Judging<object> = {
  rules: [
    rule({
      requirement: 'SUM-01',
      listens: ['sum'],
      start: () => null,
      step(_, event) {
        const sum = Number(event.data['sum']);
        return sum > 100 ? violated(event, `expected at most 100; came ${sum}`) : exercised(event);
      },
    }),
  ],
  topicOf: ({ data }) => ('sum' in data ? 'sum' : 'other'),
  view: { start: () => ({}), step: () => {} },
};

const suite = { secrets: [], timeouts: {} } as never;

/** How a peer is wrong. */
interface Wrong {
  /** Called with the sum after each addition. */
  readonly adds?: (world: SumWorld, sum: number) => void;
  /** Whether work stays open. */
  readonly stays?: boolean;
}

class SumWorld implements StormWorld {
  readonly clock: VirtualClock = new VirtualClock();
  readonly watches: readonly [StormWatch];
  readonly #wrong: Wrong;
  #sum = 0;
  #open = 0;

  constructor(fail: Fail, wrong: Wrong) {
    this.#wrong = wrong;
    const judge = judgeOf(judging);
    this.watches = [new StormWatch({ clock: this.clock, wire: 'sum', suite, run: {}, judge, fail })];
  }

  add(n: number): void {
    this.#sum += n;
    this.#open++;
    this.watches[0].recorder.mark({ sum: this.#sum });
    this.#wrong.adds?.(this, this.#sum);
  }

  /** Takes 10 away, so that a sound session stays below 100. */
  take(): void {
    this.#sum = Math.max(0, this.#sum - 10);
  }

  begin(): void {}

  open(): readonly string[] {
    return this.#open > 0 ? [`${this.#open} numbers`] : [];
  }

  settle(): void {
    if (this.#wrong.stays !== true) this.#open = 0;
  }

  finish(): void {
    passTime(this.clock, 10);
  }

  stop(): void {}
}

/** `most`: the number that is added most often; the other one is 1. */
const sums = (wrong: Wrong = {}, most = 1): StormKind<SumWorld, { readonly colour: string }> => ({
  setup: fc.record({ colour: fc.constantFrom('red', 'blue') }),
  world: (_, __, fail) => new SumWorld(fail, wrong),
  actions: actions(
    [1, action('take', fc.constant(undefined), (world: SumWorld) => world.take())],
    [3, action('add', fc.constantFrom(most, most, 1), (world: SumWorld, n) => world.add(n))],
  ),
  most: 40,
  gaps: [0, 5],
  rounds: { count: 5, ms: 10 },
});

const run = (count: number, onProgress: (done: number) => void = () => {}) => ({
  from: 1,
  count,
  onProgress,
});

describe('a storm', () => {
  it('of a sound peer has no failure, counts, and reports its progress after each hundred', () => {
    const heard: number[] = [];
    const report = playStorm(
      sums(),
      run(250, (done) => heard.push(done)),
    );
    expect(report.failures).toEqual([]);
    expect([report.sessions, heard]).toEqual([250, [100, 200]]);
    expect(report.events).toBeGreaterThan(250 * 10);
    expect(report.exercised.get('SUM-01')).toBe(report.events - 2 * 250); // less the marks of start and end
  });

  it('gives the same report again', () => {
    expect(playStorm(sums({}, 40), run(5))).toEqual(playStorm(sums({}, 40), run(5)));
  });

  it('shrinks a violation to the fewest actions, in the words of its plan', () => {
    const { failures } = playStorm(sums({}, 40), run(3));
    const [first, ...others] = failures.filter(({ broke }) => broke === 'SUM-01');
    expect(first?.message).toMatch(/^expected at most 100; came 1\d\d$/);
    // No two of the numbers 40 and 1 pass 100.
    expect(first?.steps?.[0]).toBe('set up with {"colour":"red"}');
    expect(first?.steps?.slice(1)).toHaveLength(3);
    expect(first?.steps?.slice(1).join()).toMatch(/^(?:after 0 ms: add 40,?){3}$/);
    expect(first?.what).toContain('the fewest actions that show it:\n    set up with');
    // Only the first failure of its kind is shrunk.
    expect(others.map(({ steps }) => steps)).toEqual(others.map(() => undefined));
  });

  it('does not shrink when it is told so', () => {
    const { failures } = playStorm(sums({}, 40), run(3), { shrinks: 0 });
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.every(({ steps }) => steps === undefined)).toBe(true);
  });
});

describe('a storm notices', () => {
  const kindsOf = (kind: ReturnType<typeof sums>, count = 5): readonly string[] => [
    ...new Set(playStorm(kind, run(count)).failures.map(({ broke }) => broke)),
  ];

  it('code that throws, and shrinks it to one action', () => {
    const throwing = sums({
      adds: (_, sum) => {
        if (sum > 0) throw new Error('ouch');
      },
    });
    const [failure] = playStorm(throwing, run(1)).failures;
    expect(failure?.broke).toBe('throws');
    expect(failure?.message).toContain('ouch');
    expect(failure?.steps?.slice(1)).toEqual(['after 0 ms: add 1']);
  });

  it('work without its end', () => {
    const { failures } = playStorm(sums({ stays: true }), run(3));
    expect(failures[0]?.message).toMatch(/^work without its end: \d+ numbers$/);
    expect(failures[0]?.steps).toHaveLength(2);
  });

  it('timers that nothing stops', () => {
    const tick = (world: SumWorld): void => void world.clock.after(1000, () => tick(world));
    expect(kindsOf(sums({ adds: tick }))).toContain('endless');
  });

  it('a peer that is not the same twice', () => {
    let made = 0;
    const fickle: Wrong = { adds: (world) => world.watches[0].recorder.mark({ made: ++made }) };
    const { failures } = playStorm(sums(fickle), run(4), { repeatEvery: 2 });
    expect(failures.map(({ seed, broke }) => [seed, broke])).toEqual([
      [1, 'unrepeatable'],
      [3, 'unrepeatable'],
    ]);
  });
});

it('a conversation of a seed is the session of the storm', () => {
  const conversation = conversationOf(sums({}, 40));
  const { failures, events } = playStorm(sums({}, 40), { from: 7, count: 1, onProgress: () => {} });
  const played = conversation(7);
  expect(played.events).toHaveLength(events);
  expect(played.failures).toEqual(failures.map(({ broke, message }) => `${broke}: ${message}`));
  expect(played.failures.length).toBeGreaterThan(0);
});
