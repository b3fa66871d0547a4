/** Changes values in the answers of a dialect, streamed or whole. */
import type { Json } from '../../../../src/kit/base/index.ts';
import type { DialectName, Unit } from '../../../../src/llm/index.ts';
import { valueOf, withUnitValue } from './mutant.ts';
import type { FaultContext, ServerFault } from './mutant.ts';

/** The path of a value in the data of a unit. */
export type Path = readonly (string | number)[];

/** Changes the values at these places of a dialect's answers, if they are present. */
export const replaceValues =
  (
    dialect: DialectName,
    paths: readonly (readonly (string | number)[])[],
    edit: (before: Json, context: FaultContext) => Json | undefined,
  ): NonNullable<ServerFault['unit']> =>
  (unit, context) => {
    if (context.dialect !== dialect || context.what !== 'answer' || unit.comment === true) return [unit];
    const changed = paths.reduce((now, path) => {
      const before = valueOf(now, ...path);
      return before === undefined || before === null ? now : withUnitValue(now, path, edit(before, context));
    }, unit);
    return [usagesOf.reduce(summed, changed)];
  };

/** The paths of a usage with a total. */
export const usagesOf: readonly Path[] = [['usage'], ['response', 'usage']];

/** Adds the counts up again, so that only the changed count is wrong. */
function summed(unit: Unit, usage: Path): Unit {
  const [total, ...counts] = ['total', 'prompt', 'completion', 'input', 'output'].map((name) =>
    valueOf(unit, ...usage, `${name}_tokens`),
  );
  const sum = counts.reduce<number>((all, count) => all + (typeof count === 'number' ? count : 0), 0);
  return typeof total === 'number' ? withUnitValue(unit, [...usage, 'total_tokens'], sum) : unit;
}
