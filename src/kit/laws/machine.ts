/** The laws of machines: every input has its step, a run can be repeated, and what is closed stays closed. */
import fc from 'fast-check';
import type { Machine } from '../base/index.ts';
import { demandSame, textOf } from './value.ts';

/** Steps a machine through inputs; what it gave at each step, as texts. */
function run<S, I>(machine: Machine<S, I>, inputs: readonly I[]): string[] {
  let state = machine.start();
  return inputs.map((input) => {
    const stepped = machine.step(state, input);
    state = stepped.state;
    return textOf([state, stepped.violations]);
  });
}

/**
 * Replayable: the same inputs give the same states and violations, step by step; and no input is changed.
 *
 * @example
 * import fc from 'fast-check';
 * import { sessions } from '../../fold/arbitrary.ts';
 *
 * fc.assert(replayable(sessionMachine, sessions));
 */
export function replayable<S, I>(
  machine: Machine<S, I>,
  inputs: fc.Arbitrary<readonly I[]>,
): fc.IProperty<[readonly I[]]> {
  return fc.property(inputs, (all) => {
    const before = textOf(all);
    const first = run(machine, all);
    demandSame('the inputs after a run', before, textOf(all));
    run(machine, all).forEach((text, i) => demandSame(`step ${i} of the second run`, first[i], text));
  });
}

/**
 * Total: no input in any state throws; every violation has a code, a path and a message.
 *
 * @example
 * import fc from 'fast-check';
 * import { sessions } from '../../fold/arbitrary.ts';
 *
 * fc.assert(totalMachine(sessionMachine, sessions));
 */
export function totalMachine<S, I>(
  machine: Machine<S, I>,
  inputs: fc.Arbitrary<readonly I[]>,
): fc.IProperty<[readonly I[]]> {
  return fc.property(inputs, (all) => {
    let state = machine.start();
    for (const input of all) {
      const stepped = machine.step(state, input);
      state = stepped.state;
      for (const violation of stepped.violations) {
        const { code, path, message } = violation;
        if (/^[a-z][a-z-]*$/.test(code) && typeof path === 'string' && message !== '') continue;
        throw new Error(`expected a kebab-case code, a path and a message; came ${textOf(violation)}`);
      }
    }
  });
}

/** What comes before a closing input, the closing one, and what comes after. */
export interface Closing<I> {
  readonly before: fc.Arbitrary<readonly I[]>;
  readonly closing: fc.Arbitrary<I>;
  readonly after: fc.Arbitrary<readonly I[]>;
}

/**
 * Closed stays closed: after a closing input the machine is closed, and nothing opens it again.
 *
 * @example
 * import fc from 'fast-check';
 * import { closing, sessions } from '../../fold/arbitrary.ts';
 *
 * const inputs = { before: sessions, closing, after: sessions };
 * fc.assert(closedStaysClosed(sessionMachine, (s) => s.phase === 'closed', inputs));
 */
export function closedStaysClosed<S, I>(
  machine: Machine<S, I>,
  isClosed: (state: S) => boolean,
  inputs: Closing<I>,
): fc.IProperty<[readonly I[], I, readonly I[]]> {
  return fc.property(inputs.before, inputs.closing, inputs.after, (before, closing, after) => {
    let state = machine.start();
    for (const input of before) state = machine.step(state, input).state;
    state = machine.step(state, closing).state;
    if (!isClosed(state)) throw new Error(`expected ${textOf(closing)} to close the machine; it did not`);
    for (const input of after) {
      state = machine.step(state, input).state;
      if (!isClosed(state))
        throw new Error(`expected the machine to stay closed; ${textOf(input)} opened it`);
    }
  });
}
