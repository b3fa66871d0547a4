/** Random runs for storms: a graph of actions with their outcomes, the outputs that ask for them, and how these are cut. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Random } from '../../../../src/kit/world/index.ts';
import type { ActionMode, ErrorReaction, RunScript, ScriptedOutcome } from '../../../../src/sep/index.ts';

/** An action of a plan. Its name is its id. */
export interface PlannedAction {
  readonly id: string;
  /** The iteration whose output has it, from 0. */
  readonly iteration: number;
  readonly mode: ActionMode;
  /** Ids of other actions, of itself, and of actions that never come. */
  readonly dependsOn: readonly string[];
  /** Names of variables in its parameters. */
  readonly references: readonly string[];
  readonly outcomes: readonly ScriptedOutcome[];
  readonly timeout: number | undefined;
  readonly retry: number | undefined;
  readonly onError: ErrorReaction;
}

/** A run: its actions, and the script that plays them. */
export interface RunPlan {
  readonly actions: readonly PlannedAction[];
  /** The texts of the responses, before references are replaced. */
  readonly responses: readonly string[];
  readonly script: RunScript;
  /** The same outputs in one piece each. */
  readonly whole: RunScript;
  /** Whether the last response is final. */
  readonly isFinal: boolean;
}

const pick = <T>(random: Random, values: readonly [T, ...T[]]): T =>
  values[random.below(values.length)] ?? values[0];

const chance = (random: Random, percent: number): boolean => random.below(100) < percent;

/** The output key of an action. */
export const keyOf = (id: string): string => `out_${id}`;

const values: readonly [Json, ...Json[]] = [
  'text',
  'a $name',
  '</response>',
  7,
  true,
  null,
  [1, 'b'],
  { k: { v: 1 } },
];

/** Makes the plan of a seed. */
export function randomPlan(random: Random): RunPlan {
  const iterations = 1 + random.below(3);
  const count = random.below(12);
  const ids = Array.from({ length: count }, (_, i) => `${pick(random, ['a', 'b', 'c'])}${i}`);
  // References wait for actions before them. With edges to later actions, they could make further cycles.
  const refersToVariables = chance(random, 50);
  const actions = ids.map((id, place) => {
    const iteration = Math.floor((place * iterations) / count);
    return randomAction(
      random,
      { id, iteration },
      refersToVariables ? ids.slice(0, place) : ids,
      refersToVariables,
    );
  });
  const isFinal = chance(random, 80);
  const outputs = Array.from({ length: iterations }, (_, n) => {
    const own = actions.filter(({ iteration }) => iteration === n);
    const before = actions.filter(({ iteration }) => iteration <= n);
    const isLast = n === iterations - 1;
    const text = (isLast && isFinal) || chance(random, 70) ? responseText(random, before) : '';
    return { text, output: outputOf(random, own, text, isLast && isFinal) };
  });
  const providers = Object.fromEntries(actions.map(({ id, outcomes }) => [id, outcomes]));
  return {
    actions,
    responses: outputs.map(({ text }) => text),
    isFinal,
    script: { providers, iterations: outputs.map(({ output }) => cut(random, output)) },
    whole: { providers, iterations: outputs.map(({ output }) => [output]) },
  };
}

function randomAction(
  random: Random,
  { id, iteration }: Pick<PlannedAction, 'id' | 'iteration'>,
  targets: readonly string[],
  refersToVariables: boolean,
): PlannedAction {
  const some = (most: number, of: readonly string[]): string[] =>
    Array.from({ length: random.below(most + 1) }, () => of[random.below(of.length)] ?? 'nobody');
  const known = chance(random, 10) ? [...targets, 'nobody'] : targets;
  const attempts = 1 + random.below(3);
  return {
    id,
    iteration,
    mode: pick(random, ['sync', 'async', 'async', 'fire_and_forget']),
    dependsOn: chance(random, 50) ? [...new Set(some(2, known))] : [],
    references: refersToVariables ? some(2, targets.map(keyOf)) : [],
    outcomes: Array.from({ length: attempts }, () => randomOutcome(random)),
    // No outcome comes at a multiple of 0.05 s, so that no attempt ends at its time limit.
    timeout: chance(random, 30) ? 0.05 * (1 + random.below(20)) : undefined,
    retry: chance(random, 30) ? random.below(3) : undefined,
    onError: pick(random, ['skip', 'skip', 'skip', 'skip', 'skip', 'retry', 'retry', 'fail']),
  };
}

const randomOutcome = (random: Random): ScriptedOutcome => ({
  after: (random.below(40) * 50 + 1 + random.below(49)) / 1000,
  ...(chance(random, 70) ? { output: pick(random, values) } : { error: 'no' }),
});

/** The text of a response, which may name the output of an action before it. */
function responseText(random: Random, before: readonly PlannedAction[]): string {
  const { id } = before[random.below(before.length)] ?? {};
  return id !== undefined && chance(random, 60) ? `Told $${keyOf(id)} so` : 'Told so';
}

/** The output of an iteration: its actions in thoughts and between them, and a response. */
function outputOf(random: Random, own: readonly PlannedAction[], text: string, final: boolean): string {
  const parts = own.map((action) => {
    const written = actionText(action);
    return pick(random, [written, `<thought>before ${written} after</thought>`, `\n${written}\n`]);
  });
  const response = text === '' ? '' : `<response final="${String(final)}">${text}</response>`;
  return [...parts, response].join('');
}

function actionText({ id, mode, dependsOn, references, timeout, retry, onError }: PlannedAction): string {
  const body: JsonObject = {
    name: id,
    output_key: keyOf(id),
    parameters: Object.fromEntries(
      references.map((name, i) => [`p${i}`, i === 0 ? `$${name}` : `see $${name}.`]),
    ),
    depends_on: [...dependsOn],
    ...(timeout === undefined ? {} : { timeout }),
    ...(retry === undefined ? {} : { retry }),
    on_error: onError,
  };
  return `<action type="tool" mode="${mode}" id="${id}">${JSON.stringify(body)}</action>`;
}

/** An output in pieces of random lengths. */
function cut(random: Random, output: string): readonly string[] {
  const longest = pick(random, [1, 4, 40, 1000]);
  const pieces: string[] = [];
  for (let at = 0; at < output.length;) {
    const length = 1 + random.below(longest);
    pieces.push(output.slice(at, at + length));
    at += length;
  }
  return pieces;
}
