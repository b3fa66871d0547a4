/** Checks the payload of each type (TOON-35). Written by hand: every message passes here (benchmark "TOON decode"). */
import { isObject } from '../../kit/base/index.ts';
import type { Violation } from '../../kit/base/index.ts';
import type { MessageName } from '../messages.ts';

/** The required fields of all types. Other fields are optional, and unknown ones are allowed (TOON-37). */
type Field = 'instruction' | 'toolName' | 'args' | 'success' | 'status' | 'message';
type Fields = { readonly [F in Field]?: unknown };

const noFields: Fields = {};

/**
 * Checks that a payload has the required fields of its type. A type without required fields allows any JSON here,
 * though senders must send an object (TOON-13).
 *
 * @example
 * checkPayload('STATUS', { status: 'analyzing', progress: 0.45 }); // undefined
 * checkPayload('STATUS', { progress: 0.45 })?.path; // 'status'
 */
export function checkPayload(name: MessageName, value: unknown): Violation | undefined {
  const fields: Fields = typeof value === 'object' && value !== null ? value : noFields;
  switch (name) {
    case 'INSTRUCTION':
      return typeof fields.instruction === 'string'
        ? undefined
        : badField(name, value, 'instruction', 'string');
    case 'TOOL_CALL':
      if (typeof fields.toolName !== 'string') return badField(name, value, 'toolName', 'string');
      return isObject(fields.args) ? undefined : badField(name, value, 'args', 'object');
    case 'TOOL_RESULT':
      return typeof fields.success === 'boolean' ? undefined : badField(name, value, 'success', 'boolean');
    case 'STATUS':
      return typeof fields.status === 'string' ? undefined : badField(name, value, 'status', 'string');
    case 'ERROR':
      return typeof fields.message === 'string' ? undefined : badField(name, value, 'message', 'string');
    case 'HEARTBEAT':
    case 'CONTEXT_REQUEST':
    case 'CONTEXT_RESPONSE':
      return undefined;
  }
}

/** As {@link checkPayload}, for senders and strict decoders: every payload must be an object (TOON-13, 45). */
export const checkObjectPayload = (name: MessageName, value: unknown): Violation | undefined =>
  isObject(value) ? checkPayload(name, value) : badPayload(name, '', 'an object as payload', value);

const badField = (name: MessageName, value: unknown, field: Field, kind: string): Violation =>
  isObject(value)
    ? badPayload(name, field, `${field}: ${kind}`, value[field])
    : badPayload(name, '', 'an object as payload', value);

const badPayload = (name: MessageName, path: string, expected: string, came: unknown): Violation => ({
  code: 'bad-payload',
  path,
  message: `expected ${expected} in ${name}; came ${kindOf(came)}`,
});

const kindOf = (value: unknown): string =>
  value === undefined ? 'nothing' : value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
