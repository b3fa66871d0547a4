/**
 * The events of OpenAI Responses that servers leave out: LM Studio sends the arguments of a call in
 * `response.function_call_arguments.done` alone, without deltas.
 */
import { isObject } from '../../../kit/base/index.ts';
import { textsOf } from '../shared/join.ts';
import type { JoinUnits } from '../shared/join.ts';

const delta = 'response.function_call_arguments.delta';

/** Joins the pieces of the arguments of a call. Where all of them follow, they are left out. */
export const joinArguments: JoinUnits = ({ event, data: before }, next) => {
  if (event !== delta || !isObject(before) || !isObject(next.data)) return undefined;
  if (next.event === 'response.function_call_arguments.done') return next;
  if (next.event !== delta) return undefined;
  return { event, data: { ...next.data, delta: textsOf(before['delta'], next.data['delta']) } };
};
