/** Reads the answers of `tokens.turn`: the actions in order, and the history after them. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { mismatch, shown } from '../../../../src/kit/testee/index.ts';
import type { Fact, Judgement } from '../../../../src/kit/testee/index.ts';
import { readMessages } from './conversation.ts';
import type { Message } from './conversation.ts';
import { idList, objectsIn, textOf } from './values.ts';

/** The turn in a testee's answer. */
export interface CameTurn {
  readonly actions: readonly JsonObject[];
  readonly sends: readonly JsonObject[];
  readonly history: readonly Message[];
}

/** The actions of a kind. */
export const actionsOf = (actions: readonly JsonObject[], what: string): readonly JsonObject[] =>
  actions.filter((action) => action['do'] === what);

/** A fact of a whole turn. */
export const ofTurn =
  (judge: (came: CameTurn, wanted: Json, request: JsonObject) => Judgement): Fact =>
  (wanted, ok, request) => {
    if (!Array.isArray(ok['actions'])) return mismatch('actions as an array', shown(ok['actions']));
    const actions = objectsIn(ok['actions']);
    const history = readMessages(ok['history'], 'history');
    if (typeof history === 'string') return { violated: history };
    return judge({ actions, sends: actionsOf(actions, 'send'), history }, wanted, request);
  };

/** The types of the actions, for messages. */
export const actionTypes = (actions: readonly JsonObject[]): string =>
  idList(actions.map((action) => textOf(action['do'])));

/** Words in the codes of warnings about other matters. A budget warning may have the code `near-limit` or `scarce`. */
const otherMatters: { readonly [matter: string]: readonly string[] } = {
  budget: ['exhausted', 'dropped', 'unknown'],
  unknown: ['exhausted', 'dropped', 'budget', 'near-limit', 'scarce'],
};

/**
 * The fault of a turn without a warning about a matter: one whose code has this word. Where the plan names no code, any
 * other code is accepted that stands for no other matter.
 */
export function warningFault(actions: readonly JsonObject[], matter: string): string | undefined {
  const codes = actionsOf(actions, 'warn').map(({ code }) => textOf(code));
  const isAbout = (code: string): boolean =>
    code.includes(matter) || otherMatters[matter]?.every((other) => !code.includes(other)) === true;
  return codes.some(isAbout) ? undefined : `expected a warning ${shown(matter)}; came ${idList(codes)}`;
}
