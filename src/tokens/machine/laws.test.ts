/** The laws of the turn's machine, and what holds whatever it is told. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replayable, totalMachine } from '../../kit/laws/index.ts';
import { seededRandom } from '../../kit/world/index.ts';
import { tools, turnInputs } from '../arbitrary.ts';
import { faultsOf } from '../manager/faults.ts';
import { turnMachine } from './machine.ts';
import type { TurnOptions } from './state.ts';

describe('the machine of a turn', () => {
  const options = (): fc.Arbitrary<TurnOptions> =>
    fc
      .tuple(tools, fc.constantFrom(500, 5000, 200_000), fc.boolean())
      .map(([tools, maxTokens, measures]) => ({ tools, config: { maxTokens }, measures }));

  it('is total and replayable, jitter included', () => {
    const machine = turnMachine({ random: () => seededRandom('1'), config: { maxTokens: 20_000 } });
    const measuring = turnMachine({ config: { maxTokens: 500 }, measures: true });
    fc.assert(totalMachine(machine, turnInputs), { numRuns: 300 });
    fc.assert(totalMachine(measuring, turnInputs), { numRuns: 300 });
    fc.assert(replayable(machine, turnInputs), { numRuns: 200 });
  });

  it('leaves a conversation that every provider takes, whatever it is told (TOK-48)', () => {
    fc.assert(
      fc.property(options(), turnInputs, (options, inputs) => {
        const machine = turnMachine(options);
        let state = machine.start();
        for (const input of inputs) {
          const stepped = machine.step(state, input);
          state = stepped.state;
          expect(faultsOf(state.messages)).toEqual([]);
          for (const action of stepped.actions)
            if (action.do === 'send') expect(faultsOf(action.messages)).toEqual([]);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('never sends the same twice, but after a failure; and never runs a call of a response that was cut', () => {
    fc.assert(
      fc.property(options(), turnInputs, (options, inputs) => {
        const machine = turnMachine(options);
        let state = machine.start();
        let before = '';
        let failed = false;
        for (const input of inputs) {
          const { state: next, actions, violations } = machine.step(state, input);
          state = next;
          if (violations.length > 0) continue;
          if (input.type === 'failed') failed = true;
          if (input.type === 'response') {
            failed = false;
            const runs = actions.some((action) => action.do === 'run_tools');
            const isWhole =
              input.response.metadata.stopReason === 'tool_use' && input.response.open === undefined;
            expect(runs && !isWhole).toBe(false);
          }
          for (const action of actions) {
            if (action.do !== 'send') continue;
            const request = JSON.stringify(action.messages);
            expect(request === before && !failed).toBe(false);
            before = request;
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  it('is over after stop, and says what was untimely', () => {
    const machine = turnMachine();
    const { state } = machine.step(machine.start(), { type: 'begin', now: 0, history: [] });
    expect(state.phase).toBe('stopped');
    expect(machine.step(state, { type: 'waited', now: 1 })).toEqual({
      state,
      violations: [
        {
          code: 'untimely-input',
          path: 'type',
          message: 'expected waited while waiting; it came while stopped',
        },
      ],
      actions: [],
    });
  });
});
