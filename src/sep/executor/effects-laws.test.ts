/** The laws of rollback, partial results and feeds: the executor stays total with them, and they change no run without them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Machine } from '../../kit/base/index.ts';
import { closedStaysClosed, replayable, totalMachine } from '../../kit/laws/index.ts';
import { anyOutputs, plans } from '../arbitrary-documents.ts';
import { executorInputs } from '../arbitrary.ts';
import type { ExtensionSwitches } from '../parser/extensions.ts';
import type { FeedSpec } from '../feeds/feed.ts';
import { executorMachine } from './machine.ts';
import { playRun } from './scripted-run.ts';
import type { RunScript } from './scripted-run.ts';
import type { ExecutorCommand, ExecutorInput } from './io.ts';
import type { ExecutorState } from './state.ts';

const effects: ExtensionSwitches = {
  rollback: true,
  partial_results: true,
  transformations: true,
  distributed_feeds: true,
};

const options = { extensions: effects, mostParts: 3, mostValue: 200 };

const ids = fc.constantFrom('a', 'b', 'c', '__proto__');

/** An outcome or a part of an action: of its attempts, of its rollback, or of none. */
const happenings: fc.Arbitrary<ExecutorInput> = fc
  .record({
    type: fc.constantFrom('succeeded', 'succeeded', 'failed', 'timeout', 'part', 'part'),
    id: ids,
    attempt: fc.constantFrom(1, 1, 2, 3),
  })
  .map((one) => ({ ...one, output: 1, error: 'no' }));

const declared = (id: string, name: string): ExecutorInput => {
  const rollback = { name, parameters: { id: '$a' }, ...(name !== 'undo' && { type: 'internal' as const }) };
  const more = { parameters: {}, depends_on: [], on_error: id === 'bad' ? 'fail' : 'skip' } as const;
  const action = { id, type: 'tool', mode: 'async', name: 'n', ...more, rollback } as const;
  return { type: 'event', event: { type: 'action', action } };
};

/** Inputs of a turn that fails, with any others around. */
const inputs: fc.Arbitrary<readonly ExecutorInput[]> = fc
  .record({
    names: fc.array(fc.constantFrom('undo', 'undo', 'remove_context_feed', 'get_context_feed'), {
      minLength: 4,
      maxLength: 4,
    }),
    before: fc.array(happenings, { maxLength: 15 }),
    any: executorInputs,
    after: fc.array(happenings, { maxLength: 15 }),
  })
  .map(({ names, before, any, after }): readonly ExecutorInput[] => [
    { type: 'begin' },
    ...['a', 'b', 'c', '__proto__'].map((id, i) => declared(id, names[i] ?? '')),
    ...before,
    declared('bad', 'undo'),
    ...any.slice(1, 4),
    { type: 'failed', id: 'bad', attempt: 1, error: 'no' },
    ...after,
    ...any,
  ]);

/** With a state that prints as nothing: actions of a cycle would be printed without end. */
const machine: Machine<() => ExecutorState, ExecutorInput> = {
  start: () => {
    const state = executorMachine(options).start();
    return () => state;
  },
  step: (before, input) => {
    const { state, ...answer } = executorMachine(options).step(before(), input);
    return { state: () => state, ...answer };
  },
};

function commandsOf(all: readonly ExecutorInput[]): readonly ExecutorCommand[] {
  const executor = executorMachine(options);
  let state = executor.start();
  return all.flatMap((input) => {
    const step = executor.step(state, input);
    ({ state } = step);
    return step.commands;
  });
}

describe('the executor with its effects', () => {
  it('is total', () => fc.assert(totalMachine(machine, inputs), { numRuns: 500 }));
  it('is replayable', () => fc.assert(replayable(machine, inputs), { numRuns: 300 }));

  it('stays over after a cancel', () => {
    const closing = fc.constant<ExecutorInput>({ type: 'cancel' });
    fc.assert(
      closedStaysClosed(machine, (state) => state().phase === 'over', {
        before: inputs,
        closing,
        after: inputs,
      }),
      { numRuns: 300 },
    );
  });

  it('says stop once, with nothing after it; each rollback that has begun has one end before it', () => {
    let undone = 0;
    fc.assert(
      fc.property(inputs, (all) => {
        const commands = commandsOf([...all, { type: 'cancel' }, ...all]);
        expect(commands.filter((one) => one.do === 'stop')).toHaveLength(1);
        expect(commands.at(-1)?.do).toBe('stop');
        const states = commands.flatMap((one) =>
          one.do === 'show' && one.event.type === 'rollback' ? [`${one.event.id} ${one.event.status}`] : [],
        );
        expect(new Set(states).size).toBe(states.length);
        for (let i = 0; i < states.length; i += 2) {
          const [id] = (states[i] ?? '').split(' ');
          expect([`${id} started`, `${id} completed`, `${id} failed`]).toEqual(
            expect.arrayContaining(states.slice(i, i + 2)),
          );
        }
        expect(states.length % 2).toBe(0);
        undone += states.length / 2;
      }),
      { numRuns: 500, seed: 1 },
    );
    expect(undone).toBeGreaterThan(100);
  });
});

describe('a run without these members', () => {
  const source = { type: 'tool', name: 'load', params: {} } as const;
  const feeds: readonly FeedSpec[] = [
    { id: 'load', trigger: 'periodic', interval: 0.7, enabled: true, source },
    { id: 'told', trigger: 'on_demand', enabled: true, source: { ...source, params: { of: '$load' } } },
  ];
  const isSame = (script: RunScript): void => {
    expect(playRun({ ...script, extensions: effects })).toEqual(playRun(script));
  };

  it('is the same with the extensions on and off', () => {
    fc.assert(
      fc.property(plans, fc.boolean(), (plan, hasFeeds) => {
        const output = `${plan.map(({ written }) => written).join('')}<response>done $load</response>`;
        const providers = Object.fromEntries(plan.map(({ id, outcomes }) => [id, outcomes]));
        const sources = () => ({ after: 0.1, value: 1 });
        isSame({ iterations: [[output]], providers, ...(hasFeeds && { feeds: { feeds }, sources }) });
      }),
      { numRuns: 300 },
    );
  });

  it('is the same of any output', () => {
    fc.assert(
      fc.property(fc.array(anyOutputs, { maxLength: 3 }), (all) => {
        isSame({ iterations: all.map((one) => [one]) });
      }),
      { numRuns: 300 },
    );
  });
});
