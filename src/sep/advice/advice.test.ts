/** The advice of the document's "Best Practices" (2 to 4): its bad examples give it, its good ones do not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyOutputs, plans } from '../arbitrary-documents.ts';
import { playRun } from '../executor/scripted-run.ts';
import type { RunScript } from '../executor/scripted-run.ts';
import { mostAdvice } from './advice.ts';

const action = (id: string, mode: string, body: object = {}, type = 'tool'): string =>
  `<action type="${type}" mode="${mode}" id="${id}">${JSON.stringify({ name: `${id}_tool`, ...body })}</action>`;

/** The codes of the advice about outputs, one for each iteration. */
const adviceAbout = (...outputs: readonly string[]): readonly string[] =>
  playRun({ iterations: outputs.map((output) => [output]), advice: true }).events.flatMap((event) =>
    event.type === 'diagnostic' && event.level === 'info' ? [event.code] : [],
  );

const messages = (output: string): readonly string[] =>
  playRun({ iterations: [[output]], advice: true }).events.flatMap((event) =>
    event.type === 'diagnostic' && event.level === 'info' ? [event.message] : [],
  );

describe('"Use Parallel Actions"', () => {
  it('bad: sequential when could be parallel', () => {
    const output = action('fetch1', 'sync') + action('fetch2', 'sync');
    expect(adviceAbout(output)).toEqual(['advice-sync']);
    expect(messages(output)).toEqual([
      'fetch1, fetch2 are sync, and none names an output of another: if none has to wait for another, async lets them run at the same time',
    ]);
  });

  it('good: parallel data fetching', () => {
    expect(adviceAbout(action('fetch1', 'async') + action('fetch2', 'async'))).toEqual([]);
  });

  it('"sync for everything" is one remark', () => {
    const all = Array.from({ length: 20 }, (_, i) => action(`a${i}`, 'sync')).join('');
    expect(messages(all)).toEqual([expect.stringMatching(/^a0, .*, a7 and 12 more are sync/)]);
  });

  it.each([
    [
      'the critical path: the second names the output of the first',
      action('auth', 'sync') + action('fetch', 'sync', { parameters: { session: '$auth' } }),
    ],
    ['the second depends on the first', action('a', 'sync') + action('b', 'sync', { depends_on: ['a'] })],
    [
      'a gate: the turn ends when it fails',
      action('auth', 'sync', { on_error: 'fail' }) + action('b', 'sync'),
    ],
    [
      '"Mode Examples": authentication, then fetching and logging',
      action('auth', 'sync') + action('fetch', 'async') + action('log', 'fire_and_forget', {}, 'relic'),
    ],
    [
      '"Example Execution Flow": each response shows the end of a phase',
      `${action('phase2', 'sync')}<response final="false">Phase 2 Complete</response>${action('phase3', 'sync')}`,
    ],
    [
      'internal actions, which change the run',
      action('a', 'sync', { name: 'set_variable', parameters: { name: 'x', value: 1 } }, 'internal') +
        action('b', 'sync', { name: 'list_context_feeds' }, 'internal'),
    ],
    ['one alone', action('a', 'sync')],
  ])('good: %s', (_, output) => expect(adviceAbout(output)).toEqual([]));

  it('looks at each output alone', () => {
    const again = '<response final="false">More.</response>';
    expect(adviceAbout(action('a', 'sync') + again, action('b', 'sync') + again)).toEqual([]);
    expect(adviceAbout(action('a', 'sync') + again, action('b', 'sync') + action('c', 'sync'))).toEqual([
      'advice-sync',
    ]);
  });
});

describe('"Minimize Dependencies"', () => {
  const fetch = action('fetch_data', 'async', { output_key: 'data' });
  const unrelated = action('unrelated_action', 'async');
  const analyze = (body: object): string => action('analyze', 'sync', body);
  const parameters = { data: '$data' };

  it('bad: unnecessary dependencies', () => {
    const output =
      fetch + unrelated + analyze({ parameters, depends_on: ['fetch_data', 'unrelated_action'] });
    expect(adviceAbout(output)).toEqual(['advice-unused-dependency']);
    expect(messages(output)).toEqual([
      'analyze waits for unrelated_action, and its parameters do not name its output: if the order does not matter, analyze may start earlier without it in depends_on',
    ]);
  });

  it.each([
    ['only depend on what you need', fetch + unrelated + analyze({ parameters, depends_on: ['fetch_data'] })],
    [
      'both are named, one by its id, in a list',
      fetch +
        unrelated +
        analyze({
          parameters: { all: ['$data', 'and $unrelated_action'] },
          depends_on: ['fetch_data', 'unrelated_action'],
        }),
    ],
    [
      'none is named: they order, no more',
      fetch + unrelated + analyze({ depends_on: ['fetch_data', 'unrelated_action'] }),
    ],
    [
      'what is not tracked has no output',
      fetch +
        action('warm_up', 'fire_and_forget') +
        analyze({ parameters, depends_on: ['fetch_data', 'warm_up'] }),
    ],
    [
      'an internal action',
      fetch +
        action('v', 'sync', { name: 'set_variable', parameters: { name: 'x', value: 1 } }, 'internal') +
        analyze({ parameters: { ...parameters, x: '$x' }, depends_on: ['fetch_data', 'v'] }),
    ],
    [
      '"Phase 3": a cache, after what it stores and something else',
      fetch +
        unrelated +
        action('cache', 'fire_and_forget', { parameters, depends_on: ['fetch_data', 'unrelated_action'] }),
    ],
    ['an id that never comes', fetch + analyze({ parameters, depends_on: ['fetch_data', 'nobody'] })],
  ])('good: %s', (_, output) => expect(adviceAbout(output)).toEqual([]));
});

describe('"Use Appropriate Modes"', () => {
  const fetch = action('fetch', 'async', { output_key: 'page' });
  const reader = (id: string, body: object = {}): string =>
    action(id, 'async', { parameters: { text: 'of $page' }, ...body });

  it('bad: async for dependent operations (race conditions)', () => {
    expect(adviceAbout(fetch + reader('analyze'))).toEqual(['advice-undeclared-dependency']);
    expect(messages(fetch + reader('analyze'))).toEqual([
      'analyze names $page, the output of the async action fetch: an executor that does not look for names waits for it only with fetch in depends_on',
    ]);
  });

  it('gives it once: what waits for that reader waits for the producer, too', () => {
    const second = reader('report', { depends_on: ['analyze'] });
    expect(adviceAbout(fetch + reader('analyze') + second)).toEqual(['advice-undeclared-dependency']);
  });

  it.each([
    ['with the dependency', fetch + reader('analyze', { depends_on: ['fetch'] })],
    [
      'of a sync action, which has ended',
      action('fetch', 'sync', { output_key: 'page' }) + reader('analyze'),
    ],
    [
      'behind a sync action that waits for it',
      fetch + action('check', 'sync', { depends_on: ['fetch'] }) + reader('analyze'),
    ],
    ['in the response, as the document does', `${fetch}<response>The page $page</response>`],
    ['of another name', fetch + action('b', 'async', { parameters: { text: '$$page and $pages' } })],
  ])('good: %s', (_, output) => expect(adviceAbout(output)).toEqual([]));
});

describe('the "Complete Example" of the document', () => {
  const fetches = ['wiki', 'arxiv', 'news'];
  const output = [
    ...fetches.map((id) => action(id, 'async', { output_key: `${id}_data` })),
    action('analyze', 'sync', {
      parameters: Object.fromEntries(fetches.map((id) => [id, `$${id}_data`])),
      depends_on: fetches,
      output_key: 'analysis',
    }),
    action('cache', 'fire_and_forget', { parameters: { value: '$analysis' }, depends_on: ['analyze'] }),
    '<response>$analysis</response>',
  ].join('');

  it('gives none', () => expect(adviceAbout(output)).toEqual([]));
});

describe('advice', () => {
  it('is limited for each output', () => {
    const many = Array.from(
      { length: 50 },
      (_, i) => action(`p${i}`, 'async') + action(`r${i}`, 'async', { parameters: { of: `$p${i}` } }),
    );
    expect(adviceAbout(many.join('')).length).toBe(mostAdvice);
  });

  it('takes no longer than it must for many actions that name each other', () => {
    const names = Array.from({ length: 2000 }, (_, i) => `$p${i}`);
    const all = names.map((_, i) =>
      action(`p${i}`, 'async', { parameters: { of: names.slice(Math.max(0, i - 40), i) } }),
    );
    const began = performance.now();
    expect(adviceAbout(all.join('')).length).toBeGreaterThan(0);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('is all that the option changes', () => {
    let given = 0;
    fc.assert(
      fc.property(plans, anyOutputs, (plan, noise) => {
        const script: RunScript = {
          iterations: [[plan.map(({ written }) => written).join('')], [noise]],
          providers: Object.fromEntries(plan.map(({ id, outcomes }) => [id, outcomes])),
        };
        const off = playRun(script);
        const { events, ...rest } = playRun({ ...script, advice: true });
        const others = events.filter((event) => event.type !== 'diagnostic' || event.level !== 'info');
        given += events.length - others.length;
        expect({ ...rest, events: others }).toEqual(off);
      }),
      { numRuns: 500 },
    );
    expect(given).toBeGreaterThan(0);
  });
});
