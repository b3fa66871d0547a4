/**
 * The events of OpenAI Responses that servers leave out: LM Studio sends the arguments of a call in
 * `response.function_call_arguments.done` alone, without deltas. Custom calls are sent in the same way.
 */
import { isObject } from '../../../kit/base/index.ts';
import { textsOf } from '../shared/join.ts';
import type { JoinUnits } from '../shared/join.ts';
import { callWords } from './call-words.ts';

const deltas: ReadonlyMap<string | undefined, string> = new Map(
  Object.values(callWords).map(({ event }) => [`${event}.delta`, `${event}.done`]),
);

/** Joins the pieces of the arguments of a call. Where all of them follow, they are left out. */
export const joinArguments: JoinUnits = ({ event, data: before }, next) => {
  const done = deltas.get(event);
  if (event === undefined || done === undefined || !isObject(before) || !isObject(next.data))
    return undefined;
  if (next.event === done) return next;
  if (next.event !== event) return undefined;
  return { event, data: { ...next.data, delta: textsOf(before['delta'], next.data['delta']) } };
};
