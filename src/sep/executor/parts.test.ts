/** Parts of an output before its action has ended (spec/sep/README.md, "Partial results"). */
import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../kit/base/index.ts';
import { executorOf, StreamingProtocolParser } from '../streaming/streaming-protocol-parser.ts';
import { sepTestee } from '../testee.ts';
import { mostParts } from './limits.ts';
import type { EmitPart } from './providers.ts';
import { playRun } from './scripted-run.ts';
import type { RunScript, ScriptedRun } from './scripted-run.ts';

const action = (id: string, body: object = {}, mode = 'sync'): string =>
  `<action type="tool" mode="${mode}" id="${id}">${JSON.stringify({ name: id, ...body })}</action>`;

const partial_results = true;

const run = (output: string, more: Partial<RunScript>): ScriptedRun =>
  playRun({ iterations: [[output]], extensions: { partial_results }, ...more });

/** The events of actions, in short. */
const told = ({ events }: ScriptedRun): readonly string[] =>
  events.flatMap((event) => {
    if (event.type === 'partial')
      return [`${event.at} ${event.id} ${event.n} ${JSON.stringify(event.output)}`];
    if (event.type === 'diagnostic') return [`${event.code}: ${event.message}`];
    const isOutcome = event.type === 'completed' || event.type === 'failed' || event.type === 'started';
    return isOutcome ? [`${event.at} ${event.id} ${event.type}`] : [];
  });

describe('parts', () => {
  it('come between the start and the outcome of their action, in their order, and change no value', () => {
    const parts = [{ output: 'It' }, { after: 1, output: { done: 0.5 } }, { after: 2, output: null }];
    const played = run(`${action('a')}<response>$a</response>`, {
      providers: { a: [{ after: 2, output: 'It is noon', parts }] },
    });
    expect(told(played)).toEqual([
      '0 a started',
      '0 a 0 "It"',
      '1 a 1 {"done":0.5}',
      '2 a 2 null',
      '2 a completed',
    ]);
    expect(played.variables).toEqual({ a: 'It is noon' });
    expect(played.events.filter(({ type }) => type === 'response')).toMatchObject([
      { text: 'It is noon', at: 2 },
    ]);
  });

  it('are counted from 0 in each attempt; those behind its end never come', () => {
    const late = { after: 5, output: 'late' };
    const played = run(action('a', { retry: 2, timeout: 2 }), {
      providers: {
        a: [
          { after: 1, error: 'no', parts: [{ output: 1 }, { after: 0.5, output: 2 }, late] },
          {
            after: 9,
            output: 1,
            parts: [
              { after: 1, output: 3 },
              { after: 2.5, output: 'late' },
            ],
          },
          { after: 1, output: 1, parts: [{ after: 1, output: 4 }, late] },
        ],
      },
    });
    expect(told(played)).toEqual([
      '0 a started',
      '0 a 0 1',
      '0.5 a 1 2',
      '2 a 0 3',
      '4 a 0 4',
      '4 a completed',
    ]);
  });

  it('of an action that is not tracked, and of a turn that has failed, are dropped', () => {
    const parts = [{ output: 1 }, { after: 2, output: 2 }];
    const output =
      action('f', {}, 'fire_and_forget') + action('w', {}, 'async') + action('bad', { on_error: 'fail' });
    const played = run(output, {
      providers: {
        f: [{ after: 3, output: 1, parts }],
        w: [{ after: 3, output: 1, parts }],
        bad: [{ after: 1, error: 'no', parts: [] }],
      },
    });
    expect(told(played)).toEqual([
      '0 f started',
      '0 w started',
      '0 bad started',
      '0 w 0 1',
      '1 bad failed',
      '1 w failed',
    ]);
  });

  it('are dropped without a word where the extension is off', () => {
    const providers = { a: [{ after: 1, output: 1, parts: [{ output: 1 }, { output: 'x'.repeat(99) }] }] };
    for (const extensions of [{}, { partial_results: false }])
      expect(run(action('a'), { providers, extensions, mostValue: 50 })).toEqual(
        run(action('a'), { providers: { a: [{ after: 1, output: 1 }] }, extensions, mostValue: 50 }),
      );
  });

  it('are at most as many as the limit: one remark for an attempt', () => {
    const parts = Array.from({ length: mostParts + 3 }, (_, n) => ({ output: n }));
    const all = told(run(action('a'), { providers: { a: [{ output: 1, parts }] } }));
    expect(all.filter((line) => line.startsWith('0 a'))).toHaveLength(mostParts + 2);
    expect(all.filter((line) => line.includes(':'))).toEqual([
      'too-many-parts: expected at most 10000 parts of a; one more came; it is dropped',
    ]);
    const providers = {
      a: [
        { error: 'no', parts: parts.slice(0, 4) },
        { output: 1, parts: parts.slice(0, 4) },
      ],
    };
    expect(told(run(action('a', { retry: 1 }), { providers, mostParts: 1 }))).toEqual([
      '0 a started',
      '0 a 0 0',
      'too-many-parts: expected at most 1 parts of a; one more came; it is dropped',
      '0 a 0 0',
      'too-many-parts: expected at most 1 parts of a; one more came; it is dropped',
      '0 a completed',
    ]);
  });

  it('have together at most as many characters as a value: what does not fit is dropped, with one remark', () => {
    const parts = ['x'.repeat(30), 'y'.repeat(30), 'z'.repeat(40), 'w'].map((output) => ({ output }));
    expect(told(run(action('a'), { providers: { a: [{ output: 1, parts }] }, mostValue: 40 }))).toEqual([
      '0 a started',
      `0 a 0 "${'x'.repeat(30)}"`,
      'value-refused: expected a part of a, with the parts before it, to have at most 40 characters; came more; it is dropped',
      '0 a 1 "w"',
      '0 a completed',
    ]);
  });
});

describe('StreamingProtocolParser', () => {
  async function* output(): AsyncGenerator<string> {
    yield action('a', { timeout: 5 });
    await Promise.resolve();
  }
  const read = async (emitting: (emit: EmitPart) => Promise<Json>, on = true): Promise<readonly string[]> => {
    const parser = new StreamingProtocolParser({
      actionExecutor: (_, __, emit) => emitting(emit),
      extensions: { partial_results: on },
    });
    const seen: string[] = [];
    for await (const { tokenType, content } of parser.parseStream(output()))
      seen.push(`${tokenType} ${content}`);
    return seen.filter((one) => /^(partial|completed|diagnostic|started)/.test(one));
  };

  it('hands on the parts of an executor, at once and later', async () => {
    let lateEmit: EmitPart = () => {};
    const seen = await read(async (emit) => {
      lateEmit = emit;
      emit('at once');
      await pause(1);
      emit({ n: 1 });
      emit(Symbol('10') as unknown as Json);
      return 'done';
    });
    expect(seen).toEqual([
      'started ',
      'partial at once',
      'partial {"n":1}',
      'diagnostic expected a part of a, with the parts before it, to be JSON; came a symbol; it is dropped',
      'completed done',
    ]);
    lateEmit('too late');
  });

  it('drops them where the extension is off', async () => {
    const seen = await read(async (emit) => {
      emit('at once');
      return 'done';
    }, false);
    expect(seen).toEqual(['started ', 'completed done']);
  });

  it('hands them on of a provider', async () => {
    const parser = new StreamingProtocolParser({
      extensions: { partial_results },
      actionExecutor: executorOf({ tool: { run: (_, __, emit) => (emit?.(7), 8) } }),
    });
    const seen: string[] = [];
    for await (const { tokenType, content } of parser.parseStream(output()))
      seen.push(`${tokenType} ${content}`);
    expect(seen).toContain('partial 7');
  });
});

it('sep.run takes parts of an outcome, and refuses others', () => {
  const request = { id: 1, op: 'sep.run', iterations: [[action('a')]], extensions: { partial_results } };
  const answer = (parts: Json) => sepTestee({ ...request, providers: { a: [{ output: 1, parts }] } });
  expect(JSON.stringify(answer([{ output: 0.5 }]))).toContain(
    '{"type":"partial","id":"a","n":0,"output":0.5,"at":0}',
  );
  for (const parts of [7, [{}], [{ output: 1, after: -1 }]])
    expect(answer(parts)).toMatchObject({ error: { code: 'bad-input' } });
});

const outcome = fc.record({
  after: fc.nat(4),
  fails: fc.boolean(),
  parts: fc.array(fc.record({ after: fc.nat(5), output: fc.nat(9) }), { maxLength: 5 }),
});
const calls = fc.array(fc.array(outcome, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 });

it('parts of any run count up from 0 between the start and the outcome of their action', () => {
  fc.assert(
    fc.property(calls, fc.nat(3), (all, retry) => {
      const output = all.map((_, i) => action(`a${i}`, { retry, timeout: 3 }, 'async')).join('');
      const providers = Object.fromEntries(
        all.map((outcomes, i) => [
          `a${i}`,
          outcomes.map(({ after, fails, parts }) => ({
            after,
            parts,
            ...(fails ? { error: 'no' } : { output: 1 }),
          })),
        ]),
      );
      const { events } = run(output, { providers });
      for (const [i] of all.entries()) {
        const own = events.filter((event) => 'id' in event && event.id === `a${i}`);
        expect([own[0]?.type, ['completed', 'failed'].includes(own.at(-1)?.type ?? '')]).toEqual([
          'started',
          true,
        ]);
        let last = -1;
        for (const event of own.slice(1, -1)) {
          expect(event.type).toBe('partial');
          const n = event.type === 'partial' ? event.n : NaN;
          // A further attempt begins again.
          expect([0, last + 1]).toContain(n);
          last = n;
        }
      }
      const without = events.filter(({ type }) => type !== 'partial');
      expect(run(output, { providers, extensions: {} }).events).toEqual(without);
    }),
    { numRuns: 200 },
  );
});
