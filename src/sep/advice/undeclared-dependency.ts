/** "Use Appropriate Modes": an action reads the output of an async one, and does not say that it waits for it (4). */
import type { Advice, AdvisedAction } from './advised-action.ts';
import { namedOf } from './names.ts';

/** The most steps in search of a way to a producer, in an iteration. */
const mostSteps = 10_000;

/**
 * Each async action whose output a later one names that waits for it neither by depends_on nor through others. This
 * executor waits for it all the same (SEP-49); another one may not.
 */
export function* undeclaredDependencies(actions: readonly AdvisedAction[]): Generator<Advice> {
  const waits = waitsOf(actions);
  let steps = mostSteps;
  for (const [one, { named, all }] of waits) {
    const declared = new Set(one.action.depends_on);
    for (const [name, producer] of named) {
      const { id, mode, generated } = producer.action;
      if (mode !== 'async' || generated === true || declared.has(id)) continue;
      const walk = walkTo(producer, all, waits, steps);
      steps -= walk.steps;
      if (steps <= 0) return;
      if (walk.isFound) continue;
      yield {
        code: 'advice-undeclared-dependency',
        message: `${one.action.id} names $${name}, the output of the async action ${id}: an executor that does not look for names waits for it only with ${id} in depends_on`,
      };
    }
  }
}

/** For what an action waits. */
interface Waits {
  /** The earlier actions that its parameters name, by the name. */
  readonly named: ReadonlyMap<string, AdvisedAction>;
  /** These, its dependencies, and the last sync action before it. */
  readonly all: readonly AdvisedAction[];
}

function waitsOf(actions: readonly AdvisedAction[]): ReadonlyMap<AdvisedAction, Waits> {
  const byId = new Map(actions.map((one) => [one.action.id, one]));
  const place = new Map(actions.map((one, i) => [one, i]));
  const outputs = namedOf(actions);
  const waits = new Map<AdvisedAction, Waits>();
  let sync: AdvisedAction | undefined;
  for (const [i, one] of actions.entries()) {
    const named = new Map<string, AdvisedAction>();
    for (const name of one.names) {
      // Where several have the name, the reader may mean another one.
      const [producer, other] = outputs.get(name) ?? [];
      if (producer !== undefined && other === undefined && (place.get(producer) ?? i) < i)
        named.set(name, producer);
    }
    const declared = one.action.depends_on.flatMap((id) => byId.get(id) ?? []);
    waits.set(one, { named, all: [...named.values(), ...declared, ...(sync === undefined ? [] : [sync])] });
    if (one.action.mode === 'sync') sync = one;
  }
  return waits;
}

/** Looks for a way from some actions to one that they wait for, besides the step that leads there at once. */
function walkTo(
  goal: AdvisedAction,
  from: readonly AdvisedAction[],
  waits: ReadonlyMap<AdvisedAction, Waits>,
  most: number,
): { readonly isFound: boolean; readonly steps: number } {
  const left = from.filter((one) => one !== goal);
  const seen = new Set(left);
  let steps = from.length;
  for (let one = left.pop(); one !== undefined && steps < most; one = left.pop())
    for (const next of waits.get(one)?.all ?? []) {
      steps++;
      if (next === goal) return { isFound: true, steps };
      if (seen.has(next)) continue;
      seen.add(next);
      left.push(next);
    }
  return { isFound: false, steps };
}
