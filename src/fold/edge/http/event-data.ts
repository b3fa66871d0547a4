/** The data of `GET /api/events`: an event's own data, with the ids of its request, thread and agent next to it. */
import { isObject } from '../../../kit/base/index.ts';
import type { OperatorAnswers } from '../../operator.ts';
import { textOf } from '../../json.ts';

/** The name and data of a server-sent event for an operator's `event`. */
export function flatten(event: unknown): { readonly name: string; readonly data: unknown } {
  const { name, data, ...ids } = isObject(event) ? event : {};
  return { name: String(name), data: { ...ids, ...(isObject(data) ? data : { data }) } };
}

/** Events whose own data has members with the names of ids. */
const ownIds: { readonly [event: string]: readonly string[] } = {
  started: ['request_id', 'thread_id', 'agent_id'],
  tool_approval: ['request_id'],
};

/** The operator's `event` for the name and data of a server-sent event. */
export function unflatten(name: string, data: unknown): OperatorAnswers['event'] {
  const all = isObject(data) ? data : { data };
  const ids = {
    request_id: textOf(all, 'request_id'),
    thread_id: textOf(all, 'thread_id'),
    agent_id: textOf(all, 'agent_id'),
  };
  const own = ownIds[name] ?? [];
  const members = Object.entries(all).filter(([key]) => own.includes(key) || !Object.hasOwn(ids, key));
  return { ...ids, name, data: Object.fromEntries(members) };
}
