/** The laws of roles: every input has its step, and a run can be repeated. */
import fc from 'fast-check';
import type { Role, RoleInput } from '../base/index.ts';
import { demandSame, textOf } from './value.ts';

/** An input and when it comes, in ms on the host's clock. */
export interface Timed<In, C> {
  readonly input: RoleInput<In, C>;
  readonly now: number;
}

/** Steps a role through inputs; its state and outputs at each step, as texts. */
function run<S, In, Out, C>(role: Role<S, In, Out, C>, inputs: readonly Timed<In, C>[]): string[] {
  let state = role.start();
  return inputs.map(({ input, now }) => {
    const stepped = role.step(state, input, now);
    state = stepped.state;
    return textOf([state, stepped.outputs]);
  });
}

/**
 * Replayable: the same inputs at the same times give the same states and outputs; and no input is changed.
 *
 * @example
 * import fc from 'fast-check';
 * import { agentInputs } from '../../fold/arbitrary.ts';
 *
 * fc.assert(replayableRole(agent(), agentInputs));
 */
export function replayableRole<S, In, Out, C>(
  role: Role<S, In, Out, C>,
  inputs: fc.Arbitrary<readonly Timed<In, C>[]>,
): fc.IProperty<[readonly Timed<In, C>[]]> {
  return fc.property(inputs, (all) => {
    const before = textOf(all);
    const first = run(role, all);
    demandSame('the inputs after a run', before, textOf(all));
    run(role, all).forEach((text, i) => demandSame(`step ${i} of the second run`, first[i], text));
  });
}

/**
 * Total: no input in any state throws; timers that are started have a finite time that is not negative.
 *
 * @example
 * import fc from 'fast-check';
 * import { agentInputs } from '../../fold/arbitrary.ts';
 *
 * fc.assert(totalRole(agent(), agentInputs));
 */
export function totalRole<S, In, Out, C>(
  role: Role<S, In, Out, C>,
  inputs: fc.Arbitrary<readonly Timed<In, C>[]>,
): fc.IProperty<[readonly Timed<In, C>[]]> {
  return fc.property(inputs, (all) => {
    let state = role.start();
    for (const { input, now } of all) {
      const stepped = role.step(state, input, now);
      state = stepped.state;
      for (const output of stepped.outputs) {
        if (output.type !== 'start_timer' || (Number.isFinite(output.ms) && output.ms >= 0)) continue;
        throw new Error(`expected a timer of 0 ms or more; came ${String(output.ms)} for ${output.id}`);
      }
    }
  });
}
