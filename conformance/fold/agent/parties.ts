/** The agents of one trace, by their agent_id. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { PartyKeys } from '../../../src/kit/judge/index.ts';

const textOf = (value: unknown, name: string): string | undefined => {
  const text = isObject(value) ? value[name] : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

/** An agent that comes back under the suggested id of its refusal, or under the id in its Welcome, is the same agent. */
export const agentParties: PartyKeys = {
  keyOf({ from, kind, data: { register } }) {
    if (from !== 'target' || kind !== 'message' || !isObject(register)) return undefined;
    return textOf(register, 'agent_id') ?? '';
  },
  nextKeyOf({ kind, data: { registration_error: error, welcome } }) {
    if (kind !== 'message') return undefined;
    return textOf(error, 'suggested_id') ?? textOf(welcome, 'agent_id');
  },
};
