/** "Minimize Dependencies": an action waits for one whose output it does not use (Best Practices, 3). */
import type { Advice, AdvisedAction } from './advised-action.ts';
import { names } from './names.ts';

/**
 * Each dependency whose output the parameters do not name, of an action that names the output of another one of its
 * dependencies. An action that names none of them waits for their order alone. So does one that is not tracked, such as a
 * log entry, and one that depends on an action without an output, or on an internal one.
 */
export function* unusedDependencies(actions: readonly AdvisedAction[]): Generator<Advice> {
  const byId = new Map(actions.map((one) => [one.action.id, one]));
  for (const one of actions) {
    const { id, mode, depends_on } = one.action;
    if (mode === 'fire_and_forget' || depends_on.length < 2) continue;
    const dependencies = [...new Set(depends_on)]
      .flatMap((other) => byId.get(other) ?? [])
      .filter((other) => other !== one && hasOutput(other));
    const unused = dependencies.filter((other) => !names(one, other));
    if (unused.length === dependencies.length) continue;
    for (const { action } of unused)
      yield {
        code: 'advice-unused-dependency',
        message: `${id} waits for ${action.id}, and its parameters do not name its output: if the order does not matter, ${id} may start earlier without it in depends_on`,
      };
  }
}

const hasOutput = ({ action: { type, mode, generated } }: AdvisedAction): boolean =>
  mode !== 'fire_and_forget' && type !== 'internal' && generated !== true;
