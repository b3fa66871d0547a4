/** What runs actions: a provider for each type. A user implements them; scripted ones answer by the name of the action. */
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { actionTypes } from '../parser/events.ts';
import type { ActionType, SepAction } from '../parser/events.ts';

/** An attempt of an action. */
export interface ProviderCall {
  readonly action: SepAction;
  /** Its parameters with the values of their references. */
  readonly parameters: JsonObject;
}

/** What an attempt gives: its output, at once or later. A rejection is its failure; nothing is the output null. */
export type ProviderAnswer = Promise<Json | void> | Json | void;

/**
 * Gives a part of the output of an attempt that runs: the extension `partial_results`. It does nothing where that is off, or
 * the attempt is over.
 */
export type EmitPart = (part: Json) => void;

/** Runs the actions of a type: tools, agents, relics, workflows or models. */
export interface Provider<Answer = ProviderAnswer> {
  /**
   * Runs one attempt. `signal` is aborted when its time is over, or the run ends. `emit` takes parts of the output; absent:
   * nobody takes them.
   */
  run(call: ProviderCall, signal: AbortSignal, emit?: EmitPart): Answer;
}

/** The providers of a run, by the type of actions. An action of a type without one fails. */
export type Providers<Answer = ProviderAnswer> = { readonly [T in ActionType]?: Provider<Answer> };

/** The reason why an action of a type without a provider fails. */
export const noProviderOf = ({ type, name }: SepAction): string =>
  `there is no provider of the type ${type} for ${name}`;

/** The outcome of one attempt. */
export interface ScriptedOutcome {
  /** The seconds from the call to its outcome; absent: 0. */
  readonly after?: number;
  readonly output?: Json;
  readonly error?: string;
  /** Parts of the output that come before the outcome: the extension `partial_results`. */
  readonly parts?: readonly ScriptedPart[];
}

/** A part of an output. */
export interface ScriptedPart {
  /** The seconds from the call; absent: 0. One after the outcome never comes. */
  readonly after?: number;
  readonly output: Json;
}

/** Outcomes by the name of actions: one for each call. The last one repeats. */
export type ScriptedOutcomes = { readonly [name: string]: readonly ScriptedOutcome[] };

const unknownName = ({ action: { name } }: ProviderCall): ScriptedOutcome => ({
  error: `there is no provider ${name}`,
});

/**
 * Providers of all types that answer by name, as a script says. `otherwise` answers for other names; by default, these fail.
 *
 * @example
 * const { tool } = scriptedProviders({ clock: [{ error: 'no time' }, { after: 2, output: 'noon' }] });
 * const action = { id: 'a', type: 'tool', mode: 'sync', name: 'clock', parameters: {}, depends_on: [], on_error: 'skip' } as const;
 * const call = () => tool?.run({ action, parameters: {} }, new AbortController().signal);
 * call(); // { error: 'no time' }
 * call(); // { after: 2, output: 'noon' }
 * call(); // { after: 2, output: 'noon' }
 */
export function scriptedProviders(
  outcomes: ScriptedOutcomes,
  otherwise: (call: ProviderCall) => ScriptedOutcome = unknownName,
): Providers<ScriptedOutcome> {
  const calls = new Map<string, number>();
  const run = (call: ProviderCall): ScriptedOutcome => {
    const { name } = call.action;
    const before = calls.get(name) ?? 0;
    calls.set(name, before + 1);
    const own = Object.hasOwn(outcomes, name) ? (outcomes[name] ?? []) : [];
    return own[Math.min(before, own.length - 1)] ?? otherwise(call);
  };
  return Object.fromEntries(actionTypes.map((type) => [type, { run }]));
}
