/** Actions are undone when the turn fails (spec/sep/README.md, "Rollback"), on virtual time. */
import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kit/base/index.ts';
import { parseSep } from '../parser/parser.ts';
import { StreamingProtocolParser } from '../streaming/streaming-protocol-parser.ts';
import { rollbackTimeout } from './limits.ts';
import { executorMachine } from './machine.ts';
import { playRun } from './scripted-run.ts';
import type { RunScript } from './scripted-run.ts';
import type { ExecutorCommand, ExecutorInput } from './io.ts';

const action = (id: string, body: JsonObject, mode = 'sync', type = 'tool'): string =>
  `<action type="${type}" mode="${mode}" id="${id}">${JSON.stringify({ name: id, ...body })}</action>`;

/** An action that can be undone. */
const made = (id: string, mode = 'sync'): string =>
  action(id, { rollback: { name: 'delete', parameters: { which: `$${id}` } } }, mode);

const failing = action('bad', { on_error: 'fail' });
const outcomes = {
  a: [{ output: 'A' }],
  b: [{ output: 'B' }],
  bad: [{ error: 'no' }],
  delete: [{ output: 1 }],
};

const run = (output: string | readonly string[], more: Partial<RunScript> = {}) =>
  playRun({
    iterations: (typeof output === 'string' ? [output] : output).map((one) => [one]),
    extensions: { rollback: true },
    ...more,
    providers: { ...outcomes, ...more.providers },
  });

/** The events behind the failure, in short. */
const told = ({ events }: ReturnType<typeof run>): readonly string[] =>
  events.flatMap((event) => {
    if (event.type === 'rollback')
      return [
        `${event.at} ${event.id} ${event.status}${event.status === 'failed' ? `: ${event.error}` : ''}`,
      ];
    return event.type === 'finished' ? [`${event.at} ${event.reason}`] : [];
  });

describe('when the turn fails', () => {
  it('completed actions are undone in the reverse order of their completion, one after the other', () => {
    const played = run(made('a', 'async') + made('b', 'async') + failing, {
      providers: {
        a: [{ after: 2, output: 'A' }],
        b: [{ after: 1, output: 'B' }],
        bad: [{ after: 3, error: 'no' }],
        delete: [{ after: 0.5, output: 1 }],
      },
    });
    expect(told(played)).toEqual([
      '3 a started',
      '3.5 a completed',
      '3.5 b started',
      '4 b completed',
      '4 failed',
    ]);
  });

  it('those of earlier iterations are undone, too', () => {
    expect(told(run([made('a') + '<response final="false">x</response>', made('b') + failing]))).toEqual([
      '0 b started',
      '0 b completed',
      '0 a started',
      '0 a completed',
      '0 failed',
    ]);
  });

  it('those that failed, were skipped, run, or are not tracked have nothing to undo', () => {
    const rollback = { name: 'delete' };
    const output =
      action('f', { rollback }) +
      action('s', { rollback, depends_on: ['f'] }) +
      action('w', { rollback }, 'async') +
      action('n', { rollback }, 'fire_and_forget') +
      action('plain', {}) +
      failing;
    const played = run(output, {
      providers: {
        f: [{ error: 'no' }],
        w: [{ after: 9, output: 1 }],
        n: [{ output: 1 }],
        plain: [{ output: 1 }],
      },
    });
    expect(told(played)).toEqual(['0 failed']);
    expect(played.events.filter(({ type }) => type === 'failed')).toMatchObject([
      { id: 'f' },
      { id: 'bad' },
      { id: 'w', error: 'aborted because of bad' },
    ]);
  });

  it('what runs is aborted first, and nothing starts any more', () => {
    const { events } = run(made('a') + action('w', {}, 'async') + failing + action('late', {}), {
      providers: { w: [{ after: 9, output: 1 }] },
    });
    expect(events.slice(-6).map(({ type, ...more }) => ('id' in more ? `${type} ${more.id}` : type))).toEqual(
      ['failed bad', 'failed w', 'skipped late', 'rollback a', 'rollback a', 'finished'],
    );
    expect(events.filter((event) => event.type === 'started' && event.id === 'late')).toEqual([]);
  });

  it('references have the values of that moment, and the type is that of the action', () => {
    const commands: ExecutorCommand[] = [];
    const machine = executorMachine({ extensions: { rollback: true }, variables: { who: 'Bo' } });
    let state = machine.start();
    const step = (input: ExecutorInput): void => {
      const next = machine.step(state, input);
      ({ state } = next);
      commands.push(...next.commands);
    };
    const rollback = { name: 'drop', parameters: { of: '$row', by: '$who' } };
    const output =
      action('a', { output_key: 'row', rollback }, 'sync', 'relic') +
      action('b', { rollback: { ...rollback, type: 'llm', timeout: 5 } }) +
      action('c', { output_key: 'row' });
    step({ type: 'begin' });
    for (const event of parseSep(output + failing, { extensions: { rollback: true } }))
      step({ type: 'event', event });
    for (const id of ['a', 'b', 'c']) step({ type: 'succeeded', id, attempt: 1, output: id });
    step({ type: 'failed', id: 'bad', attempt: 1, error: 'no' });
    const of = (id: string) =>
      commands.filter(
        (one) => (one.do === 'run' || one.do === 'timer') && one.id === id && one.attempt === 2,
      );
    const parameters = { of: 'c', by: 'Bo' };
    expect(of('b')).toMatchObject([
      { do: 'run', action: { type: 'llm', name: 'drop' }, parameters },
      { do: 'timer', after: 5 },
    ]);
    // An outcome of another attempt does not count.
    step({ type: 'succeeded', id: 'b', attempt: 1, output: 'late' });
    expect(of('a')).toEqual([]);
    step({ type: 'succeeded', id: 'b', attempt: 2, output: null });
    expect(of('a')).toMatchObject([
      { do: 'run', action: { type: 'relic', name: 'drop' }, parameters },
      { do: 'timer', after: rollbackTimeout },
    ]);
    step({ type: 'timeout', id: 'a', attempt: 2 });
    expect(commands.slice(-4)).toMatchObject([
      { do: 'abort', id: 'a', attempt: 2 },
      { do: 'show', event: { type: 'rollback', id: 'a', status: 'failed', error: 'timed out after 30 s' } },
      { do: 'show', event: { type: 'finished', reason: 'failed' } },
      { do: 'stop', reason: 'failed' },
    ]);
  });

  it('a rollback that fails, is too slow or cannot begin has one attempt, and the others go on', () => {
    const large = { name: 'large', parameters: { p: '$big' } };
    const output =
      made('a') +
      action('b', { retry: 3, rollback: { name: 'broken' } }) +
      action('c', { rollback: { name: 'slow', timeout: 2 } }) +
      action('d', { rollback: { name: 'endless' } }) +
      action('e', { rollback: large }) +
      failing;
    const played = run(output, {
      rollbackTimeout: 4,
      mostValue: 30,
      variables: { big: 'x'.repeat(40) },
      providers: {
        c: [{ output: 1 }],
        d: [{ output: 1 }],
        e: [{ output: 1 }],
        broken: [{ error: 'is gone' }],
        slow: [{ after: 3, output: 1 }],
        endless: [{ after: 1e6, output: 1 }],
      },
    });
    expect(told(played)).toEqual([
      '0 e started',
      '0 e failed: expected the parameters to have at most 30 characters; came more',
      '0 d started',
      '4 d failed: timed out after 4 s',
      '4 c started',
      '6 c failed: timed out after 2 s',
      '6 b started',
      '6 b failed: is gone',
      '6 a started',
      '6 a completed',
      '6 failed',
    ]);
  });

  it('an internal action can be the rollback, and one that changes nothing is none', () => {
    const source = { type: 'tool', name: 'load' };
    const output =
      action(
        'add',
        {
          name: 'add_context_feed',
          parameters: { id: 'load', type: 'on_demand', source },
          rollback: { name: 'remove_context_feed', parameters: { id: 'load' } },
        },
        'sync',
        'internal',
      ) +
      action(
        'set',
        {
          name: 'set_variable',
          parameters: { name: 'x', value: 1 },
          rollback: { name: 'get_context_feed', parameters: { id: 'load' } },
        },
        'sync',
        'internal',
      ) +
      action('a', { rollback: { name: 'delete_variable', type: 'internal', parameters: { name: 'x' } } }) +
      failing;
    const played = run(output);
    expect(told(played)).toEqual([
      '0 a started',
      '0 a completed',
      '0 set started',
      '0 set failed: expected an action that undoes another one; get_context_feed changes nothing',
      '0 add started',
      '0 add completed',
      '0 failed',
    ]);
    expect(played.variables).not.toHaveProperty('x');
  });
});

describe('nothing is undone', () => {
  it('when the run ends in another way', () => {
    expect(told(run(made('a') + '<response>done</response>'))).toEqual(['0 final']);
    expect(told(run(made('a')))).toEqual(['0 max_iterations']);
    expect(told(run(made('a') + action('bad', {}) + '<response>x</response>'))).toEqual(['0 final']);
  });

  it('where the extension is off: the member is ignored, right or wrong', () => {
    for (const rollback of [{ name: 'delete' }, 7]) {
      const played = run(action('a', { rollback }) + failing, { extensions: {} });
      expect(told(played)).toEqual(['0 failed']);
      expect(JSON.stringify(played.events)).not.toContain('rollback');
      expect(played.events.filter(({ type }) => type === 'completed')).toHaveLength(1);
    }
  });

  it('after a cancel: the rollback that runs has failed, and no other begins', () => {
    const machine = executorMachine({ extensions: { rollback: true } });
    let { state } = machine.step(machine.start(), { type: 'begin' });
    const inputs: ExecutorInput[] = [
      ...parseSep(made('a') + made('b') + failing, { extensions: { rollback: true } }).map(
        (event) => ({ type: 'event', event }) as const,
      ),
      { type: 'succeeded', id: 'a', attempt: 1, output: 1 },
      { type: 'succeeded', id: 'b', attempt: 1, output: 1 },
      { type: 'failed', id: 'bad', attempt: 1, error: 'no' },
    ];
    for (const input of inputs) ({ state } = machine.step(state, input));
    expect(state.phase).toBe('undoing');
    const { commands } = machine.step(state, { type: 'cancel' });
    expect(commands).toMatchObject([
      { do: 'abort', id: 'b', attempt: 2 },
      { event: { type: 'rollback', id: 'b', status: 'failed', error: 'aborted because of the cancel' } },
      { event: { type: 'finished', reason: 'cancelled' } },
      { do: 'stop', reason: 'cancelled' },
    ]);
    expect(machine.step(state, { type: 'succeeded', id: 'b', attempt: 2, output: 1 }).commands).toEqual([]);
  });
});

it.each<[unknown, string]>([
  [7, 'expected rollback of action "a" to be an object; came 7'],
  [{}, 'expected rollback of action "a" to be the key name; came no keys'],
  [{ name: '' }, 'expected rollback.name of action "a" to be a name that is not empty; came ""'],
  [{ name: 'x', type: 'template' }, 'expected rollback.type of action "a" to be one of tool, agent'],
  [{ name: 'x', timeout: 0 }, 'expected rollback.timeout of action "a" to be'],
  [{ name: 'x', parameters: [] }, 'expected rollback.parameters of action "a" to be an object or null'],
])('a wrong rollback is reported, and its action is not executed: %j', (rollback, message) => {
  const events = parseSep(action('a', { rollback: rollback as JsonObject }), {
    extensions: { rollback: true },
  });
  expect(events).toMatchObject([{ type: 'diagnostic', code: 'body-fields' }]);
  expect(events).toMatchObject([{ message: expect.stringContaining(message) as string }]);
});

it('members of a rollback that are null are absent, and others are ignored', () => {
  const rollback = { name: 'x', parameters: null, type: null, timeout: null, more: 1 };
  const parsed = (body: JsonObject): unknown =>
    parseSep(action('a', body), { extensions: { rollback: true } })[0];
  expect(parsed({ rollback })).toMatchObject({ action: { rollback: { name: 'x', parameters: {} } } });
  expect(
    Object.keys((parsed({ rollback }) as { action: { rollback: object } }).action.rollback),
  ).toHaveLength(2);
  expect(parsed({ rollback: null })).not.toHaveProperty('action.rollback');
});

describe('StreamingProtocolParser', () => {
  it('carries rollbacks out, and reads no more of the output meanwhile', async () => {
    const calls: string[] = [];
    let pieces = 0;
    async function* output(): AsyncGenerator<string> {
      yield made('a') + made('b') + failing;
      for (; pieces < 1000; pieces++) {
        await pause(1);
        yield '<thought>and on</thought>';
      }
    }
    const parser = new StreamingProtocolParser({
      extensions: { rollback: true },
      actionExecutor: async ({ name, parameters }) => {
        calls.push(`${name} ${JSON.stringify(parameters)}`);
        if (name === 'bad') throw new Error('no');
        if (name !== 'delete') return name.toUpperCase();
        await pause(10);
        if (parameters['which'] === 'B') throw new Error('is gone');
        return null;
      },
    });
    const seen: string[] = [];
    for await (const { tokenType, content, metadata } of parser.parseStream(output()))
      if (tokenType === 'rollback' || tokenType === 'finished')
        seen.push(`${tokenType} ${metadata.action?.id ?? ''} ${content}`);
    expect(calls).toEqual(['a {}', 'b {}', 'bad {}', 'delete {"which":"B"}', 'delete {"which":"A"}']);
    expect(seen).toEqual(['rollback b ', 'rollback b is gone', 'rollback a ', 'rollback a ', 'finished  ']);
    expect(pieces).toBeLessThan(5);
  });
});

it('any run is undone in the exact reverse order of its completions', () => {
  const delays = fc.array(fc.record({ after: fc.nat(5), isSync: fc.boolean(), fails: fc.boolean() }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(delays, fc.nat(6), (all, at) => {
      const output =
        all.map(({ isSync }, i) => made(`a${i}`, isSync ? 'sync' : 'async')).join('') +
        action('bad', { on_error: 'fail' }, 'async');
      const { events } = run([output, ''], {
        providers: {
          ...Object.fromEntries(
            all.map(({ after, fails }, i) => [
              `a${i}`,
              [fails ? { after, error: 'no' } : { after, output: i }],
            ]),
          ),
          bad: [{ after: at, error: 'no' }],
          delete: [{ after: 1, output: 1 }, { error: 'no' }],
        },
      });
      const idsOf = (test: (event: (typeof events)[number]) => boolean): readonly string[] =>
        events.flatMap((event) => (test(event) && 'id' in event ? [event.id] : []));
      const completed = idsOf(({ type }) => type === 'completed');
      const begun = idsOf((event) => event.type === 'rollback' && event.status === 'started');
      const ended = idsOf((event) => event.type === 'rollback' && event.status !== 'started');
      expect(begun).toEqual(completed.toReversed());
      expect(ended).toEqual(begun);
      expect(events.at(-1)?.type).toBe('finished');
      const first = events.findIndex(({ type }) => type === 'rollback');
      if (first >= 0)
        expect(new Set(events.slice(first, -1).map(({ type }) => type))).toEqual(new Set(['rollback']));
    }),
    { numRuns: 200 },
  );
});
