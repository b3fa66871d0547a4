/** The executor, clause by clause, on virtual time. The examples are those of the Streaming Execution Protocol v1.1. */
import { describe, expect, it } from 'vitest';
import { playRun } from './scripted-run.ts';
import type { TimedEvent } from './runner.ts';
import type { RunScript, ScriptedRun } from './scripted-run.ts';

/** An action with these members of its body. Its name is its id. */
const action = (id: string, mode = 'async', more: object = {}): string =>
  `<action type="tool" mode="${mode}" id="${id}">${JSON.stringify({ name: id, ...more })}</action>`;

const done = '<response>done</response>';

/** Plays one output. Each named provider takes so many seconds and gives its name, or fails. */
const play = (
  output: string,
  seconds: { readonly [name: string]: number } = {},
  more: Partial<RunScript> = {},
): ScriptedRun => {
  const providers = Object.fromEntries(
    Object.entries(seconds).map(([name, after]) => [name, [{ after, output: name }]]),
  );
  return playRun({ iterations: [[output]], ...more, providers: { ...providers, ...more.providers } });
};

/** The time of an event of an action; undefined: it did not come. */
const timeOf = ({ events }: ScriptedRun, type: TimedEvent['type'], id: string): number | undefined =>
  events.find((event) => event.type === type && 'id' in event && event.id === id)?.at;

const started = (run: ScriptedRun, id: string): number | undefined => timeOf(run, 'started', id);

/** The events of a kind. */
const all = <T extends TimedEvent['type']>(
  { events }: ScriptedRun,
  type: T,
): readonly Extract<TimedEvent, { type: T }>[] =>
  events.filter((event): event is Extract<TimedEvent, { type: T }> => event.type === type);

const responseText = (run: ScriptedRun): string =>
  all(run, 'response')
    .map(({ text }) => text)
    .join('');

const lastReason = (run: ScriptedRun): unknown => run.events.at(-1);

describe('modes', () => {
  it('SEP-28: a sync action delays later actions and later text of responses', () => {
    const run = play(action('auth', 'sync') + action('fetch') + done, { auth: 2, fetch: 1 });
    expect(started(run, 'fetch')).toBe(2);
    expect(all(run, 'response').map(({ at }) => at)).toEqual([2]);
  });

  it('SEP-29: an async action delays neither', () => {
    const run = play(action('a') + action('b') + done, { a: 5, b: 5 });
    expect([started(run, 'a'), started(run, 'b'), all(run, 'response')[0]?.at]).toEqual([0, 0, 0]);
    expect(lastReason(run)).toMatchObject({ type: 'finished', reason: 'final', at: 5 });
  });

  it('SEP-15: a sync action inside a thought does not delay the thought', () => {
    const run = play(`<thought>a${action('slow', 'sync')}b</thought>${done}`, { slow: 3 });
    expect(all(run, 'thought').map(({ at }) => at)).toEqual([0, 0]);
    expect(all(run, 'response')[0]?.at).toBe(3);
  });

  it('SEP-30: fire_and_forget is not tracked, and satisfies those that depend on it at its start', () => {
    const run = play(
      action('log', 'fire_and_forget') + action('next', 'async', { depends_on: ['log'] }) + done,
      {
        log: 9,
        next: 1,
      },
    );
    expect(started(run, 'next')).toBe(0);
    expect(timeOf(run, 'completed', 'log')).toBeUndefined();
    expect(lastReason(run)).toMatchObject({ at: 1 });
  });
});

describe('dependencies', () => {
  it('SEP-31: an action starts when its dependencies have succeeded', () => {
    const run = play(action('a') + action('b') + action('c', 'async', { depends_on: ['a', 'b'] }) + done, {
      a: 1,
      b: 2,
      c: 1,
    });
    expect(started(run, 'c')).toBe(2);
  });

  it.each(['sync', 'async'])('SEP-94: a forward reference of a %s action delays no other action', (mode) => {
    const run = play(
      action('first', mode, { depends_on: ['last'] }) + action('other') + action('last') + done,
      {
        first: 1,
        other: 1,
        last: 2,
      },
    );
    expect([started(run, 'other'), started(run, 'last'), started(run, 'first')]).toEqual([0, 0, 2]);
  });

  it('SEP-32: what depends on an id that never came is skipped at the end', () => {
    const run = play(action('a', 'sync', { depends_on: ['nobody'] }) + done);
    expect(all(run, 'skipped')).toEqual([{ type: 'skipped', id: 'a', because: 'nobody', at: 0 }]);
  });

  it('SEP-25: no action can depend on an id that the parser made', () => {
    const unnamed = '<action type="tool" mode="async">{"name":"x"}</action>';
    const run = play(unnamed + action('a', 'async', { depends_on: ['#1'] }) + done, { x: 0 });
    expect(all(run, 'skipped')).toMatchObject([{ id: 'a', because: '#1' }]);
  });

  it('SEP-33: the actions of a cycle fail once, also when they wait for another cycle', () => {
    const output =
      action('self', 'async', { depends_on: ['self'] }) +
      action('a', 'async', { depends_on: ['b', 'self'] }) +
      action('b', 'async', { depends_on: ['a'] }) +
      action('free') +
      done;
    const run = play(output, { free: 1 });
    expect(all(run, 'failed').map(({ id }) => id)).toEqual(['self', 'a', 'b']);
    expect(all(run, 'skipped')).toEqual([]);
    expect(timeOf(run, 'completed', 'free')).toBe(1);
  });

  it('SEP-33: the actions of a cycle fail, and the others run', () => {
    const output =
      action('a', 'sync', { depends_on: ['b'] }) +
      action('b', 'async', { depends_on: ['c'] }) +
      action('c', 'async', { depends_on: ['a'] }) +
      action('self', 'async', { depends_on: ['self'] }) +
      action('after', 'async', { depends_on: ['b'] }) +
      action('free') +
      done;
    const run = play(output, { free: 1 });
    expect(all(run, 'failed').map(({ id, attempts }) => [id, attempts])).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 0],
      ['self', 0],
    ]);
    expect(all(run, 'skipped')).toMatchObject([{ id: 'after', because: 'b' }]);
    expect(timeOf(run, 'completed', 'free')).toBe(1);
  });

  it('SEP-34: what depends on a failed action is skipped, with the cause of each', () => {
    const output =
      action('a') +
      action('b', 'sync', { depends_on: ['a'] }) +
      action('c', 'async', { depends_on: ['b'] }) +
      done;
    const run = play(output, {}, { providers: { a: [{ after: 1, error: 'no network' }] } });
    expect(all(run, 'failed')).toMatchObject([{ id: 'a', error: 'no network', attempts: 1 }]);
    expect(all(run, 'skipped')).toMatchObject([
      { id: 'b', because: 'a' },
      { id: 'c', because: 'b' },
    ]);
  });
});

describe('time', () => {
  it('SEP-37: the timeout is one of each attempt', () => {
    const run = play(action('a', 'async', { timeout: 2, retry: 1 }) + done, { a: 9 });
    expect(all(run, 'failed')).toMatchObject([{ attempts: 2, at: 4 }]);
  });

  it('SEP-38: retry 2 means three attempts', () => {
    const providers = {
      a: [
        { after: 1, error: 'x' },
        { after: 1, error: 'y' },
        { after: 1, output: 5 },
      ],
    };
    const run = play(action('a', 'async', { retry: 2 }) + done, {}, { providers });
    expect(all(run, 'completed')).toMatchObject([{ id: 'a', output: 5, at: 3 }]);
    expect(all(run, 'started')).toHaveLength(1);
  });

  it('SEP-95: on_error fail ends the turn', () => {
    const output = action('slow') + action('bad', 'sync', { on_error: 'fail' }) + action('never') + done;
    const run = play(output, { slow: 9, never: 1 }, { providers: { bad: [{ after: 1, error: 'x' }] } });
    expect(started(run, 'never')).toBeUndefined();
    expect(lastReason(run)).toMatchObject({ type: 'finished', reason: 'failed', at: 1 });
  });

  it('SEP-95: shows no text that waited for an action of the ended turn', () => {
    const output = `${action('slow')}${action('bad', 'async', { on_error: 'fail' })}<response>$slow shown</response>`;
    const run = play(output, { slow: 9 }, { providers: { bad: [{ after: 1, error: 'x' }] } });
    expect(responseText(run)).toBe('');
    expect(lastReason(run)).toMatchObject({ type: 'finished', reason: 'failed', at: 1 });
  });

  it('SEP-96: on_error retry makes one further attempt', () => {
    const run = play(
      action('a', 'async', { on_error: 'retry' }) + done,
      {},
      { providers: { a: [{ after: 1, error: 'x' }] } },
    );
    expect(all(run, 'failed')).toMatchObject([{ attempts: 2, at: 2 }]);
  });
});

describe('variables', () => {
  /** The parameters with which `use` starts. */
  const used = (parameters: object, output: unknown, more: Partial<RunScript> = {}): unknown => {
    const text =
      action('a', 'async', { output_key: 'page' }) +
      action('use', 'sync', { parameters, depends_on: ['a'] }) +
      done;
    const providers = { a: [{ output: output as never }], use: [{ output: null }] };
    return all(play(text, {}, { ...more, providers }), 'started').find(({ id }) => id === 'use')?.parameters;
  };

  it.each([
    ['SEP-42: keeps the type', { p: '$page' }, { n: 1 }, { p: { n: 1 } }],
    ['SEP-42: also of null', { p: '$page' }, null, { p: null }],
    ['SEP-43: compact JSON in a text', { p: 'is $page.' }, { n: [1, 'x'] }, { p: 'is {"n":[1,"x"]}.' }],
    ['SEP-43: a string as it is', { p: 'is $page.' }, 'x"y', { p: 'is x"y.' }],
    ['SEP-44: values, not keys', { $page: ['$page', { deep: '$page' }] }, 1, { $page: [1, { deep: 1 }] }],
    ['SEP-46: the longest name', { p: '$pages $page_2 $1 $page' }, 1, { p: '$pages $page_2 $1 1' }],
    ['SEP-48: not read again', { p: '$page' }, '$page and $a', { p: '$page and $a' }],
    ['SEP-97: $$', { p: '$$page $$$page' }, 1, { p: '$page $$page' }],
    ['SEP-41: the id of an action', { p: '$a' }, 7, { p: 7 }],
    ['SEP-47: nothing', { p: '$nothing' }, 7, { p: '$nothing' }],
  ])('%s', (_, parameters, output, expected) => {
    expect(used(parameters, output)).toEqual(expected);
  });

  it('SEP-98: a given variable counts where no output has its name', () => {
    expect(used({ p: '$token', q: '$page' }, 1, { variables: { token: 't', page: 'given' } })).toEqual({
      p: 't',
      q: 1,
    });
  });

  it('SEP-47: the name of an action is no variable; the remark says which id was meant', () => {
    const run = play(action('x', 'sync') + '<response>**$web_scraper**</response>', { x: 1 });
    expect(responseText(run)).toBe('**$web_scraper**');
    const named = `<action type="tool" mode="sync" id="fetch">{"name":"web_scraper"}</action>`;
    const meant = play(`${named}<response>**$web_scraper**</response>`, { web_scraper: 1 });
    expect(all(meant, 'diagnostic')[0]?.message).toContain('the id fetch');
  });

  it('SEP-49: an action waits for the earlier one whose output it names', () => {
    const output =
      action('a', 'async', { output_key: 'page' }) +
      action('b', 'async', { parameters: { p: '$page' } }) +
      done;
    expect(started(play(output, { a: 3, b: 1 }), 'b')).toBe(3);
  });

  it('SEP-54: a response waits for what it names, however it is cut', () => {
    const output = `${action('a', 'async', { output_key: 'page' })}<response>It is $page, really $page</response>`;
    const run = playRun({ iterations: [output.split('')], providers: { a: [{ after: 2, output: 'here' }] } });
    expect(responseText(run)).toBe('It is here, really here');
    expect(
      all(run, 'response')
        .filter(({ at }) => at === 0)
        .map(({ text }) => text)
        .join(''),
    ).toBe('It is ');
  });
});

describe('iterations', () => {
  it('SEP-52: goes on after an output without a final response, and shows the outcomes', () => {
    const iterations = [
      [`<response final="false">so far</response>${action('a', 'async', { output_key: 'x' })}`],
      ['<response>got $x</response>'],
    ];
    const run = playRun({ iterations, providers: { a: [{ after: 1, output: '<b>' }] } });
    expect(all(run, 'iteration').map(({ n, at }) => [n, at])).toEqual([
      [1, 0],
      [2, 1],
    ]);
    expect(run.transcripts).toEqual([
      `${iterations[0]?.[0]}\n<action_result id="a" status="completed">&lt;b&gt;</action_result>`,
    ]);
    expect(responseText(run)).toBe('so fargot <b>');
    expect(run.variables).toEqual({ a: '<b>', x: '<b>' });
  });

  it('SEP-56: has a cap', () => {
    const run = playRun({ iterations: [['<thought>a</thought>'], ['<thought>b</thought>']] });
    expect(lastReason(run)).toEqual({ type: 'finished', reason: 'max_iterations', at: 0 });
  });

  it('10,000 actions may wait in a row', () => {
    const n = 10_000;
    const output = Array.from({ length: n }, (_, i) =>
      action(`a${i}`, 'async', { depends_on: [`a${i + 1}`] }),
    );
    const run = play(output.join('') + action(`a${n}`), {}, { providers: {} });
    // Nobody runs the last one: the others are skipped, each because of the next.
    expect(all(run, 'skipped')).toHaveLength(n);
  });
});
