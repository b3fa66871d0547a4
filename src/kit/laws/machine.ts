/** The laws of machines and roles: every input has a step, a run can be repeated, and closed stays closed. */
import fc from 'fast-check';
import type { Machine, Role, RoleInput } from '../base/index.ts';
import { demandSame, textOf } from './value.ts';

/** An input of a role and its time, in ms on the host's clock. */
export interface Timed<In, C> {
  readonly input: RoleInput<In, C>;
  readonly now: number;
}

/** A machine or a role: a start and a step. */
interface Stepper<S, I, R extends { readonly state: S }> {
  start(): S;
  step(state: S, input: I): R;
}

type RoleStep<S, In, Out, C> = ReturnType<Role<S, In, Out, C>['step']>;

const stepperOf = <S, In, Out, C>(
  role: Role<S, In, Out, C>,
): Stepper<S, Timed<In, C>, RoleStep<S, In, Out, C>> => ({
  start: () => role.start(),
  step: (state, { input, now }) => role.step(state, input, now),
});

/** Steps through the inputs; `each` receives the result of every step. */
function run<S, I, R extends { readonly state: S }>(
  stepper: Stepper<S, I, R>,
  inputs: readonly I[],
  each: (result: R) => void = () => {},
): S {
  let state = stepper.start();
  for (const input of inputs) {
    const result = stepper.step(state, input);
    state = result.state;
    each(result);
  }
  return state;
}

function repeats<S, I, R extends { readonly state: S }>(
  stepper: Stepper<S, I, R>,
  inputs: fc.Arbitrary<readonly I[]>,
): fc.IProperty<[readonly I[]]> {
  return fc.property(inputs, (all) => {
    const [before, first, second] = [textOf(all), [] as string[], [] as string[]];
    run(stepper, all, (result) => void first.push(textOf(result)));
    demandSame('the inputs after a run', before, textOf(all));
    run(stepper, all, (result) => void second.push(textOf(result)));
    second.forEach((text, i) => demandSame(`step ${i} of the second run`, first[i], text));
  });
}

/**
 * Replayable: the same inputs give the same states and violations at every step, and no input is changed.
 *
 * @example
 * import fc from 'fast-check';
 * import { sessions } from '../../fold/arbitrary.ts';
 *
 * fc.assert(replayable(sessionMachine, sessions));
 */
export const replayable = <S, I>(
  machine: Machine<S, I>,
  inputs: fc.Arbitrary<readonly I[]>,
): fc.IProperty<[readonly I[]]> => repeats(machine, inputs);

/**
 * Replayable: the same inputs at the same times give the same states and outputs, and no input is changed.
 *
 * @example
 * import fc from 'fast-check';
 * import { agentInputs } from '../../fold/arbitrary-inputs.ts';
 *
 * fc.assert(replayableRole(agent(), agentInputs));
 */
export const replayableRole = <S, In, Out, C>(
  role: Role<S, In, Out, C>,
  inputs: fc.Arbitrary<readonly Timed<In, C>[]>,
): fc.IProperty<[readonly Timed<In, C>[]]> => repeats(stepperOf(role), inputs);

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
    run(machine, all, ({ violations }) => {
      for (const violation of violations) {
        const { code, path, message } = violation;
        if (/^[a-z][a-z-]*$/.test(code) && typeof path === 'string' && message !== '') continue;
        throw new Error(`expected a kebab-case code, a path and a message; came ${textOf(violation)}`);
      }
    });
  });
}

/**
 * Total: no input in any state throws; every started timer has a finite time of 0 ms or more.
 *
 * @example
 * import fc from 'fast-check';
 * import { agentInputs } from '../../fold/arbitrary-inputs.ts';
 *
 * fc.assert(totalRole(agent(), agentInputs));
 */
export function totalRole<S, In, Out, C>(
  role: Role<S, In, Out, C>,
  inputs: fc.Arbitrary<readonly Timed<In, C>[]>,
): fc.IProperty<[readonly Timed<In, C>[]]> {
  return fc.property(inputs, (all) => {
    run(stepperOf(role), all, ({ outputs }) => {
      for (const output of outputs) {
        if (output.type !== 'start_timer' || (Number.isFinite(output.ms) && output.ms >= 0)) continue;
        throw new Error(`expected a timer of 0 ms or more; came ${String(output.ms)} for ${output.id}`);
      }
    });
  });
}

/** The inputs before a closing input, the closing input, and the inputs after it. */
export interface Closing<I> {
  readonly before: fc.Arbitrary<readonly I[]>;
  readonly closing: fc.Arbitrary<I>;
  readonly after: fc.Arbitrary<readonly I[]>;
}

/**
 * Closed stays closed: a closing input closes the machine, and no later input opens it.
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
    let state = machine.step(run(machine, before), closing).state;
    if (!isClosed(state)) throw new Error(`expected ${textOf(closing)} to close the machine; it did not`);
    for (const input of after) {
      state = machine.step(state, input).state;
      if (!isClosed(state))
        throw new Error(`expected the machine to stay closed; ${textOf(input)} opened it`);
    }
  });
}
