/** What each type's payload must hold (TOON-35). Written by hand because every message passes here. */
import { isObject } from '../../kit/base/index.ts';
import type { Violation } from '../../kit/base/index.ts';
import type { MessageName } from '../messages.ts';

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
export function checkPayload(name: MessageName, value: unknown): Violation | undefined {
  const field = wrongField(name, value);
  return field === undefined ? undefined : badPayload(name, value, field);
}

/** As {@link checkPayload}, for senders and strict readers: an object, whatever the type (TOON-13, 45). */
export const checkObjectPayload = (name: MessageName, value: unknown): Violation | undefined =>
  isObject(value) ? checkPayload(name, value) : badPayload(name, value);

/**
 * The first required field that is missing or of another kind. Of arrays and of what is no object none is there: where
 * a field is required they fail by that.
 */
function wrongField(name: MessageName, value: unknown): Field | undefined {
  const fields: Fields = typeof value === 'object' && value !== null ? value : none;
  switch (name) {
    case 'INSTRUCTION':
      return typeof fields.instruction === 'string' ? undefined : 'instruction';
    case 'TOOL_CALL':
      if (typeof fields.toolName !== 'string') return 'toolName';
      return isObject(fields.args) ? undefined : 'args';
    case 'TOOL_RESULT':
      return typeof fields.success === 'boolean' ? undefined : 'success';
    case 'STATUS':
      return typeof fields.status === 'string' ? undefined : 'status';
    case 'ERROR':
      return typeof fields.message === 'string' ? undefined : 'message';
    case 'HEARTBEAT':
    case 'CONTEXT_REQUEST':
    case 'CONTEXT_RESPONSE':
      return undefined;
  }
}

const none: Fields = {};

function badPayload(name: MessageName, value: unknown, field?: Field): Violation {
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
