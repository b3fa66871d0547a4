/** The calls among the items of OpenAI Responses: of functions, with JSON text, and of custom tools, with free text. */
import { entryOf } from '../../../../src/kit/base/index.ts';
import type { CallIdentity } from '../identities.ts';
import { at } from './reader.ts';

/** A kind of call: the name of its events without `.delta` and `.done`, and the member of its text. */
interface CallKind {
  readonly event: string;
  readonly member: string;
  readonly custom: boolean;
}

/** The kinds by the type of their items. */
const kinds: { readonly [type: string]: CallKind } = {
  function_call: { event: 'response.function_call_arguments', member: 'arguments', custom: false },
  custom_tool_call: { event: 'response.custom_tool_call_input', member: 'input', custom: true },
};

/** Whether a name without `.delta` and `.done` is that of the text of a call. */
export const isCallText = (name: string): boolean => Object.values(kinds).some(({ event }) => event === name);

/** A call, as its item has it. */
export interface ResponsesCall extends CallKind {
  readonly text: unknown;
  /** Whether the item says that it is complete. A custom call of the API's own types has no status. */
  readonly complete: boolean;
}

/** The call of an item. Undefined for other items. */
export function responsesCall(item: unknown): ResponsesCall | undefined {
  const kind = entryOf(kinds, String(at(item, 'type')));
  if (kind === undefined) return undefined;
  const status = at(item, 'status');
  const complete = status === 'completed' || (kind.custom && status === undefined);
  return { ...kind, text: at(item, kind.member), complete };
}

/** The identity of an item's call. @param path - the path of the item */
export const callIdentity = (item: unknown, path: string): CallIdentity => ({
  id: { path: `${path}.call_id`, value: at(item, 'call_id') },
  name: { path: `${path}.name`, value: at(item, 'name') },
  idOwed: true,
  namespace: at(item, 'namespace'),
});
