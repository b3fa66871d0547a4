/** What a model writes and what a provider answers has limits, and no depth of it ends the process (Limits: no recursion). */
import { describe, expect, it } from 'vitest';
import { mostJsonLevels } from '../../kit/base/index.ts';
import type { Json } from '../../kit/base/index.ts';
import { VirtualClock } from '../../kit/world/index.ts';
import { Runner } from './runner.ts';
import type { TimedEvent } from './runner.ts';
import { playRun } from './scripted-run.ts';
import type { RunScript } from './scripted-run.ts';

/** A list in a list, so many levels deep. */
function nested(levels: number): Json {
  let value: Json = 'core';
  for (let i = 0; i < levels; i++) value = [value];
  return value;
}

const action = (id: string, more: object = {}, mode = 'sync'): string =>
  `<action type="tool" mode="${mode}" id="${id}">${JSON.stringify({ name: id, ...more })}</action>`;

type Kind = TimedEvent['type'];

const eventsOf = (script: RunScript): readonly TimedEvent[] => playRun(script).events;

const of = <T extends Kind>(events: readonly TimedEvent[], type: T): Extract<TimedEvent, { type: T }>[] =>
  events.filter((event): event is Extract<TimedEvent, { type: T }> => event.type === type);

const textOf = (events: readonly TimedEvent[]): string =>
  of(events, 'response')
    .map(({ text }) => text)
    .join('');

const response = (text: string): string => `<response>${text}</response>`;

describe('nesting', () => {
  it.each([mostJsonLevels + 1, 100_000])('fails an attempt whose output has %i levels', (levels) => {
    const events = eventsOf({
      iterations: [[action('a', { retry: 1 }) + action('b', { depends_on: ['a'] }) + response('is $a')]],
      providers: { a: [{ output: nested(levels) }] },
    });
    expect(of(events, 'failed')).toEqual([
      {
        type: 'failed',
        id: 'a',
        error: `expected an output to have at most 512 levels of nesting; came 513 or more`,
        attempts: 2,
        at: 0,
      },
    ]);
    expect(of(events, 'skipped')).toMatchObject([{ id: 'b', because: 'a' }]);
    expect(textOf(events)).toBe('is $a');
  });

  it('takes an output with all levels that JSON may have, into parameters, responses and transcripts', () => {
    const output = nested(mostJsonLevels);
    const { events, transcripts } = playRun({
      iterations: [[action('a') + '<response final="false">$a.</response>'], [response('x')]],
      providers: { a: [{ output }] },
    });
    expect(textOf(events)).toBe(`${JSON.stringify(output)}.x`);
    expect(transcripts[0]).toContain('&quot;core&quot;');
  });

  it('fails an action whose parameters get too deep by their references', () => {
    const events = eventsOf({
      iterations: [[action('a') + action('b', { parameters: { p: ['$a'] } }) + response('x')]],
      providers: { a: [{ output: nested(mostJsonLevels - 1) }], b: [{ output: 1 }] },
    });
    expect(of(events, 'started').map(({ id }) => id)).toEqual(['a']);
    expect(of(events, 'failed')).toMatchObject([
      {
        id: 'b',
        error: 'expected the parameters to have at most 512 levels of nesting; came 513 or more',
        attempts: 0,
      },
    ]);
  });

  it('refuses a given variable of any depth', () => {
    const events = eventsOf({
      iterations: [[action('b', { parameters: { p: '$deep' } }) + response('$deep, $deep')]],
      variables: { deep: nested(100_000) },
    });
    expect(of(events, 'failed')).toMatchObject([
      { id: 'b', error: expect.stringContaining('at most 512 levels of nesting; came 5') as string },
    ]);
    expect(textOf(events)).toBe('$deep, $deep');
    expect(new Set(of(events, 'diagnostic').map(({ code }) => code))).toEqual(new Set(['value-refused']));
  });

  it('refuses an output that holds itself', () => {
    const output: Json[] = [];
    output.push(output);
    const events = eventsOf({ iterations: [[action('a')]], providers: { a: [{ output }] } });
    expect(of(events, 'failed')).toHaveLength(1);
  });

  it('refuses an output that is no JSON', () => {
    for (const [output, came] of [
      [{ n: Symbol('1') }, 'a symbol'],
      [[() => 1], 'a function'],
      [new Date(0), 'an object with a function toJSON'],
    ] as unknown as [Json, string][]) {
      const [failed] = of(
        eventsOf({ iterations: [[action('a')]], providers: { a: [{ output }] } }),
        'failed',
      );
      expect(failed?.error).toBe(`expected an output to be JSON; came ${came}`);
    }
  });
});

describe('size', () => {
  /** Each action has twice the output of the one before it. */
  const doubling = (parameters: (id: string) => Json): string =>
    Array.from({ length: 40 }, (_, i) =>
      action(`a${i + 1}`, { name: 'echo', parameters: { p: parameters(`$a${i}`) } }),
    ).join('');

  it.each([
    ['in a text', (id: string): Json => `${id}${id}`],
    ['as whole values', (id: string): Json => [id, id]],
  ])('outputs that double %s come to an end', (_, parameters) => {
    const clock = new VirtualClock();
    const events: TimedEvent[] = [];
    const runner = new Runner({
      clock,
      providers: { tool: { run: ({ parameters: { p = null } }) => ({ output: p }) } },
      onEvent: (event) => void events.push(event),
      maxIterations: 1,
      variables: { a0: 'x'.repeat(1000) },
    });
    runner.begin();
    runner.write(doubling(parameters) + response('x'));
    runner.endOutput();
    clock.run(() => false);
    expect(of(events, 'completed').length).toBeLessThan(20);
    expect(of(events, 'failed')).toHaveLength(1);
    expect(of(events, 'failed')[0]?.error).toMatch(
      /the parameters to have at most 16777216 characters; came /,
    );
  });

  it('is an option: of outputs, parameters and responses', () => {
    const script: RunScript = {
      iterations: [
        [
          action('a') +
            action('big') +
            action('b', { parameters: { p: '$a $a $a' } }) +
            '<response final="false">$a $a $a</response>' +
            response(' $a'),
        ],
      ],
      providers: { a: [{ output: 'x'.repeat(40) }], big: [{ output: 'x'.repeat(99) }], b: [{ output: 1 }] },
      mostValue: 100,
    };
    const events = eventsOf(script);
    expect(of(events, 'failed').map(({ id, error }) => `${id}: ${error}`)).toEqual([
      'big: expected an output to have at most 100 characters; came more',
      'b: expected the parameters to have at most 100 characters; came more',
    ]);
    const value = 'x'.repeat(40);
    expect(textOf(events)).toBe(`${value} ${value} $a ${value}`);
    expect(of(events, 'diagnostic').at(-1)?.message).toMatch(/^expected \$a in a response, .*; came more/);
  });

  it('the texts of a run have a limit together', () => {
    const events = eventsOf({
      iterations: [[action('a') + action('b', { parameters: { p: 'is $a' } }) + response('$a$a')]],
      providers: { a: [{ output: 'x'.repeat(40) }], b: [{ output: 1 }] },
      mostSubstituted: 100,
    });
    expect(of(events, 'completed')).toHaveLength(2);
    expect(textOf(events)).toBe(`${'x'.repeat(40)}$a`);
    expect(of(events, 'diagnostic').at(-1)?.code).toBe('value-refused');
  });

  it('a transcript leaves out what has no room', () => {
    const { transcripts } = playRun({
      iterations: [[action('a') + action('b')], [response('x')]],
      providers: { a: [{ output: 'x'.repeat(60) }], b: [{ output: 'y'.repeat(60) }] },
      mostValue: 100,
    });
    expect(transcripts[0]).toContain(`${'x'.repeat(60)}</action_result>`);
    expect(transcripts[0]).toContain('<action_result id="b" status="completed">60 characters, left out<');
  });

  it('a cycle of many actions names a few of them in each error', () => {
    const length = 2000;
    const output = Array.from({ length }, (_, i) =>
      action(`a${i}`, { depends_on: [`a${(i + 1) % length}`] }, 'async'),
    ).join('');
    const failed = of(eventsOf({ iterations: [[output]] }), 'failed');
    expect(failed).toHaveLength(length);
    for (const { error } of failed) expect(error.length).toBeLessThan(200);
  });
});

describe('counts', () => {
  it('retry is the number of a model: it has a limit, and a diagnostic says so (SEP-38)', () => {
    const play = (mostRetries?: number): readonly TimedEvent[] =>
      eventsOf({
        iterations: [[action('a', { retry: 1_000_000_000 }) + response('x')]],
        providers: { a: [{ error: 'no' }] },
        ...(mostRetries === undefined ? {} : { mostRetries }),
      });
    expect(of(play(), 'failed')).toMatchObject([{ id: 'a', attempts: 101 }]);
    expect(of(play(2), 'failed')).toMatchObject([{ id: 'a', attempts: 3 }]);
    expect(of(play(2), 'diagnostic')).toMatchObject([
      {
        code: 'too-many-retries',
        message: 'expected retry of a to be at most 2; came 1000000000',
      },
    ]);
  });

  it('iterations and bodies have a limit (SEP-56)', () => {
    const body = action('a', { parameters: { p: 'x'.repeat(200) } });
    const events = eventsOf({
      iterations: [[body], [response('x')]],
      maxIterations: 1,
      mostBody: 100,
    });
    expect(of(events, 'finished')).toMatchObject([{ reason: 'max_iterations' }]);
    expect(of(events, 'diagnostic')).toMatchObject([{ code: 'body-too-large' }]);
  });
});
