/** The laws of the parser and the executor: no cut counts, no input throws, a run can be repeated, over stays over. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Machine } from '../kit/base/index.ts';
import { closedStaysClosed, replayable, totalMachine } from '../kit/laws/index.ts';
import { anyOutputs, plans, wellFormedOutputs } from './arbitrary-documents.ts';
import type { PlannedCall } from './arbitrary-documents.ts';
import { actions, cutOutputs, executorInputs, outputs } from './arbitrary.ts';
import { holdCuts, kindsOfCuts } from './cuts.test-helper.ts';
import { executorMachine } from './executor/machine.ts';
import { playRun } from './executor/scripted-run.ts';
import type { ExecutorCommand, ExecutorInput } from './executor/io.ts';
import type { ExecutorState } from './executor/state.ts';
import { coalesced } from './parser/events.test-helper.ts';
import type { SepEvent } from './parser/events.ts';
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

  // laws.thorough.test.ts makes 100,000 cuts.
  it.each(kindsOfCuts)('SEP-03: cuts between %s change no event of any output', (kind) =>
    holdCuts(kind, 1000),
  );

  it('loses no text and no action of a right output, and ends with the final response', () => {
    fc.assert(
      fc.property(wellFormedOutputs, ({ output, made }) => {
        expect(kindsAndTexts(parseSep(output))).toEqual(joined(made));
      }),
      { numRuns: 2000 },
    );
  });

  it('emits no action twice, whatever the output is', () => {
    fc.assert(
      fc.property(anyOutputs, (output) => {
        const ids = parseSep(output).flatMap((event) => (event.type === 'action' ? [event.action.id] : []));
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 1000 },
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

type KindAndText = readonly [kind: string, text: string];

/** Adjacent texts of a kind are one, and empty ones none. */
function joined(made: readonly KindAndText[]): readonly KindAndText[] {
  const all: KindAndText[] = [];
  for (const [kind, text] of made) {
    const last = all.at(-1);
    if (text === '') continue;
    if (kind !== 'action' && last?.[0] === kind) all[all.length - 1] = [kind, last[1] + text];
    else all.push([kind, text]);
  }
  return all;
}

const kindsAndTexts = (events: readonly SepEvent[]): readonly KindAndText[] =>
  joined(
    events.flatMap((event): readonly KindAndText[] => {
      if (event.type === 'action') return [['action', event.action.id]];
      if (event.type === 'response') return [[event.final ? 'final' : 'response', event.text]];
      return event.type === 'thought' || event.type === 'text' ? [[event.type, event.text]] : [];
    }),
  );

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

/** The run of a plan: its actions, a final response, and the rest of the output. */
function played(plan: readonly PlannedCall[], chunk: number, rest = ''): ReturnType<typeof playRun> {
  const output = `${plan.map(({ written }) => written).join('')}<response>done</response>${rest}`;
  const pieces = output.match(new RegExp(`[^]{1,${chunk}}`, 'g')) ?? [];
  const providers = Object.fromEntries(plan.map(({ id, outcomes }) => [id, outcomes]));
  return playRun({ iterations: [pieces], providers: { ...providers, late: [{ output: 1 }] } });
}

describe('a run of a plan', () => {
  const holds = (law: (plan: readonly PlannedCall[], run: ReturnType<typeof playRun>) => void): void =>
    fc.assert(
      fc.property(plans, fc.integer({ min: 1, max: 60 }), (plan, chunk) => law(plan, played(plan, chunk))),
      { numRuns: 500 },
    );
  const idsOf = (run: ReturnType<typeof playRun>, ...kinds: readonly string[]): readonly string[] =>
    run.events.flatMap((event) => (kinds.includes(event.type) && 'id' in event ? [event.id] : []));

  it('SEP-26: starts no action twice, and gives none two outcomes', () =>
    holds((_, run) => {
      for (const ids of [idsOf(run, 'started'), idsOf(run, 'completed', 'failed', 'skipped')])
        expect(new Set(ids).size).toBe(ids.length);
    }));

  it('SEP-78: loses no action', () =>
    holds((plan, run) => {
      const known = new Set(idsOf(run, 'started', 'failed', 'skipped'));
      expect(plan.filter(({ id }) => !known.has(id)).map(({ id }) => id)).toEqual([]);
    }));

  it('SEP-31: starts none before those that it depends on', () =>
    holds((plan, run) => {
      for (const { id, dependsOn } of plan) {
        const before = run.events.slice(
          0,
          Math.max(
            0,
            run.events.findIndex((event) => event.type === 'started' && event.id === id),
          ),
        );
        if (before.length === 0) continue;
        const satisfied = before.flatMap((event) => {
          if (event.type === 'completed') return [event.id];
          const isForgotten = (one: PlannedCall): boolean =>
            event.type === 'started' && one.id === event.id && one.mode === 'fire_and_forget';
          return event.type === 'started' && plan.some(isForgotten) ? [event.id] : [];
        });
        expect(dependsOn.filter((one) => !satisfied.includes(one))).toEqual([]);
      }
    }));

  it('SEP-53: starts none of those that come after the final response', () =>
    holds((plan) => {
      const late = '<action type="tool" mode="async" id="late">{"name":"late"}</action>';
      expect(idsOf(played(plan, 7, late), 'started')).not.toContain('late');
    }));

  it('is the same again', () =>
    holds((plan) => {
      expect(played(plan, 9)).toEqual(played(plan, 9));
    }));

  it('SEP-03: has the same actions and outcomes, however the output is cut', () =>
    holds((plan, run) => {
      const others = ({ events }: ReturnType<typeof playRun>): readonly unknown[] =>
        events.filter(({ type }) => type !== 'response');
      expect(others(run)).toEqual(others(played(plan, 10_000)));
    }));

  it('is total over any outputs', () => {
    fc.assert(
      fc.property(fc.array(anyOutputs, { maxLength: 3 }), (all) => {
        expect(playRun({ iterations: all.map((one) => [one]) }).events.at(-1)?.type).toBe('finished');
      }),
      { numRuns: 300 },
    );
  });
});
