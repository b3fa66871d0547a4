/** A round of a loop: the values of its own names, and what the names of its actions mean in it. */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { rewriteReferences, withTexts } from '../../values/variables.ts';
import type { SepAction } from '../../parser/events.ts';

/** A round of a loop. */
export interface Round {
  /** The item and the number of the round, by their names. They are data: nothing reads them again. */
  readonly values: ReadonlyMap<string, Json>;
  /** The ids and output keys of the loop: each means the one of this round. */
  readonly names: ReadonlySet<string>;
  /** The number of the round, from 0. */
  readonly n: number;
  /** The round of the loop around it. */
  readonly outer: Round | undefined;
}

/** The value of a name that the rounds give; undefined: it is another name. */
export function valueIn(round: Round | undefined, name: string): Json | undefined {
  for (let one = round; one !== undefined; one = one.outer) {
    const value = one.values.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** What an id or an output key is called in a round: `x` is `x_0` in the first one, and `x_0_2` in the third one inside. */
export function nameIn(round: Round | undefined, name: string): string {
  let named = name;
  const rounds: Round[] = [];
  for (let one = round; one !== undefined; one = one.outer) rounds.push(one);
  for (const { names, n } of rounds.toReversed()) if (names.has(name)) named += `_${n}`;
  return named;
}

/** A text with the names of its references as they are called in a round. */
export const textIn = (round: Round | undefined, text: string): string =>
  round === undefined
    ? text
    : rewriteReferences(text, (name, written) =>
        valueIn(round, name) === undefined ? `$${nameIn(round, name)}` : written,
      );

/** An action as it is called in a round. */
export function actionIn(round: Round | undefined, action: SepAction): SepAction {
  if (round === undefined) return action;
  const { id, depends_on, output_key, rollback } = action;
  const parametersIn = ({ parameters }: Pick<SepAction, 'parameters'>) =>
    withTexts(parameters, (text) => textIn(round, text)) as JsonObject;
  return {
    ...action,
    id: nameIn(round, id),
    depends_on: depends_on.map((one) => nameIn(round, one)),
    ...(output_key === undefined ? {} : { output_key: nameIn(round, output_key) }),
    parameters: parametersIn(action),
    ...(rollback === undefined ? {} : { rollback: { ...rollback, parameters: parametersIn(rollback) } }),
  };
}
