/** The laws of the parser and the executor: no cut counts, no input throws, a run can be repeated, over stays over. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Machine } from '../kit/base/index.ts';
import { closedStaysClosed, replayable, totalMachine } from '../kit/laws/index.ts';
import { actions, cutOutputs, executorInputs, outputs } from './arbitrary.ts';
import { executorMachine } from './executor/machine.ts';
import { playRun } from './executor/scripted-run.ts';
import type { ExecutorCommand, ExecutorInput, ExecutorState } from './executor/state.ts';
import { coalesced } from './parser/events.test-helper.ts';
import { parseSep } from './parser/parser.ts';

const options = { mostBody: 60 };

describe('the parser', () => {
  it('SEP-03: cuts change no event', () => {
    fc.assert(
      fc.property(cutOutputs, ({ output, chunks }) => {
        expect(coalesced(parseSep(chunks, options))).toEqual(coalesced(parseSep(output, options)));
      }),
      { numRuns: 2000 },
    );
  });

  it('SEP-03: neither do cuts inside of a character', () => {
    fc.assert(
      fc.property(outputs, (output) => {
        const bytes = [...new TextEncoder().encode(output)].map((byte) => Uint8Array.of(byte));
        const text = new TextDecoder().decode(new TextEncoder().encode(output));
        expect(coalesced(parseSep(bytes, options))).toEqual(coalesced(parseSep(text, options)));
      }),
      { numRuns: 500 },
    );
  });

  it('loses no text: what stands outside of tags comes as it is', () => {
    const free = fc.string().map((text) => text.replaceAll('<', ''));
    fc.assert(
      fc.property(free, (text) => {
        expect(coalesced(parseSep(text))).toEqual(text === '' ? [] : [{ type: 'text', text }]);
      }),
    );
  });

  it('is total over any bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void parseSep([bytes])));
  });
});

/** The executor, with a state that prints as nothing: actions of a cycle would be printed without end. */
const machine: Machine<() => ExecutorState, ExecutorInput> = {
  start: () => {
    const state = executorMachine().start();
    return () => state;
  },
  step: (before, input) => {
    const { state, ...answer } = executorMachine().step(before(), input);
    return { state: () => state, ...answer };
  },
};

/** The commands of a run, in order. */
function commandsOf(inputs: readonly ExecutorInput[]): readonly ExecutorCommand[] {
  const executor = executorMachine();
  let state = executor.start();
  return inputs.flatMap((input) => {
    const step = executor.step(state, input);
    ({ state } = step);
    return step.commands;
  });
}

describe('the executor', () => {
  it('is total', () => fc.assert(totalMachine(machine, executorInputs), { numRuns: 1000 }));
  it('is replayable', () => fc.assert(replayable(machine, executorInputs), { numRuns: 500 }));

  it('stays over after a cancel', () => {
    const closing = fc.constant<ExecutorInput>({ type: 'cancel' });
    const inputs = { before: executorInputs, closing, after: executorInputs };
    fc.assert(
      closedStaysClosed(machine, (state) => state().phase === 'over', inputs),
      { numRuns: 500 },
    );
  });

  it('says stop once, and nothing after it', () => {
    fc.assert(
      fc.property(executorInputs, (inputs) => {
        const all = commandsOf([...inputs, { type: 'cancel' }, ...inputs]).map((command) => command.do);
        expect(all.filter((one) => one === 'stop')).toHaveLength(1);
        expect(all.at(-1)).toBe('stop');
      }),
      { numRuns: 500 },
    );
  });

  it('SEP-78: each action of a run that is over has started and may have one outcome, or was skipped', () => {
    fc.assert(
      fc.property(executorInputs, (inputs) => {
        const states = new Map<string, string[]>();
        for (const command of commandsOf([...inputs, { type: 'cancel' }])) {
          if (command.do !== 'show' || !('id' in command.event)) continue;
          const { type, id } = command.event;
          states.set(id, [...(states.get(id) ?? []), type]);
        }
        for (const of of states.values())
          expect(['started', 'started completed', 'started failed', 'failed', 'skipped']).toContain(
            of.join(' '),
          );
      }),
      { numRuns: 1000 },
    );
  });

  it('SEP-31: an action starts after all that it depends on', () => {
    const plans = fc.uniqueArray(actions, { selector: ({ id }) => id, maxLength: 5 });
    fc.assert(
      fc.property(plans, (all) => {
        const output = all
          .map(
            ({ id, type, mode, ...body }) =>
              `<action type="${type}" mode="${mode}" id="${id}">${JSON.stringify(body)}</action>`,
          )
          .join('');
        const { events } = playRun({
          iterations: [[`${output}<response>done</response>`]],
          providers: { n: [{ after: 1, output: 1 }], m: [{ after: 2, error: 'no' }] },
        });
        const at = (type: string, id: string): number =>
          events.findIndex((event) => event.type === type && 'id' in event && event.id === id);
        for (const { id, depends_on } of all) {
          if (at('started', id) < 0) continue;
          for (const one of depends_on) {
            const mode = all.find((other) => other.id === one)?.mode;
            const satisfied = at(mode === 'fire_and_forget' ? 'started' : 'completed', one);
            expect(satisfied).toBeGreaterThan(-1);
            expect(satisfied).toBeLessThan(at('started', id));
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
