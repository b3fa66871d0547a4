/** What each type's payload must hold (TOON-35). Written by hand because every message passes here. */
import { isObject } from '../kit/base/index.ts';
import type { Violation } from '../kit/base/index.ts';
import { MessageType, messageNames } from './messages.ts';
import type { MessageName } from './messages.ts';

/** Fields without which a message makes no sense. All others are free, and unknown ones are allowed (TOON-37). */
const kinds = {
  instruction: 'string',
  toolName: 'string',
  args: 'object',
  success: 'boolean',
  status: 'string',
  message: 'string',
} as const;

type Field = keyof typeof kinds;
type Fields = { readonly [F in Field]?: unknown };

/**
 * What a payload lacks; undefined when nothing. A type with required fields needs an object; of the others any JSON
 * passes here, though senders owe an object too (TOON-13).
 *
 * @example
 * checkPayload('STATUS', { status: 'analyzing', progress: 0.45 }); // undefined
 * checkPayload('STATUS', { progress: 0.45 })?.path; // 'status'
 */
export const checkPayload = (name: MessageName, value: unknown): Violation | undefined =>
  payloadFault(MessageType[name], value);

/** As {@link checkPayload}, by the type's number. Arrays have no fields: where some are required they fail by that. */
export function payloadFault(type: MessageType, value: unknown): Violation | undefined {
  if (typeof value !== 'object' || value === null)
    return type < MessageType.HEARTBEAT ? badPayload(type, value) : undefined;
  const field = wrongField(type, value);
  return field === undefined ? undefined : badPayload(type, value, field);
}

/** As {@link payloadFault}, for senders and strict readers: an object, whatever the type (TOON-13, 45). */
export const strictFault = (type: MessageType, value: unknown): Violation | undefined =>
  isObject(value) ? payloadFault(type, value) : badPayload(type, value);

/** The first required field that is missing or of another kind. */
function wrongField(type: MessageType, value: Fields): Field | undefined {
  switch (type) {
    case MessageType.INSTRUCTION:
      return typeof value.instruction === 'string' ? undefined : 'instruction';
    case MessageType.TOOL_CALL:
      if (typeof value.toolName !== 'string') return 'toolName';
      return isObject(value.args) ? undefined : 'args';
    case MessageType.TOOL_RESULT:
      return typeof value.success === 'boolean' ? undefined : 'success';
    case MessageType.STATUS:
      return typeof value.status === 'string' ? undefined : 'status';
    case MessageType.ERROR:
      return typeof value.message === 'string' ? undefined : 'message';
    case MessageType.HEARTBEAT:
    case MessageType.CONTEXT_REQUEST:
    case MessageType.CONTEXT_RESPONSE:
      return undefined;
  }
}

function badPayload(type: MessageType, value: unknown, field?: Field): Violation {
  const name = messageNames[type - 1];
  const bad = (path: string, expected: string, came: unknown): Violation => ({
    code: 'bad-payload',
    path,
    message: `expected ${expected} in ${name}; came ${kindOf(came)}`,
  });
  return field === undefined || !isObject(value)
    ? bad('', 'an object as payload', value)
    : bad(field, `${field}: ${kinds[field]}`, value[field]);
}

const kindOf = (value: unknown): string =>
  value === undefined ? 'nothing' : value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
