/**
 * Units of a stream as messages, and back. Headers say what a message is: an event, an exception, or an error without a model
 * ("Smithy: Amazon Event Stream specification"). The payload is JSON.
 */
import { jsonOf } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import type { Unit } from '../../messages.ts';
import type { EventHeader } from './headers.ts';
import { encodeHeaders } from './headers.ts';
import { headerText, messageOf } from './message.ts';
import type { EventMessage } from './message.ts';

/** What a message says. */
export interface MessageWords {
  readonly kind: 'event' | 'exception' | 'error' | 'other';
  /** The type of the event or exception; `:error` for an error without a model, whose code and message are in `data`. */
  readonly name: string;
  /** Undefined: the payload is no JSON. */
  readonly data: Json | undefined;
  /** The payload as text. */
  readonly text: string;
  /** Why the headers say nothing. */
  readonly fault?: string;
}

const decoder = new TextDecoder();

const text = (name: string, value: string): EventHeader => ({ name, type: 'string', value });

/** The names of exceptions end so. */
const isException = (name: string): boolean => name.endsWith('Exception');

/** The encoded headers of the first events. A stream has a few kinds of events, and many of each. */
const encodedHeaders = new Map<string, Uint8Array>();
const headersKept = 64;

function headersOf(event: string): Uint8Array {
  const known = encodedHeaders.get(event);
  if (known !== undefined) return known;
  const exception = isException(event);
  const made = encodeHeaders([
    text(exception ? ':exception-type' : ':event-type', event),
    text(':content-type', 'application/json'),
    text(':message-type', exception ? 'exception' : 'event'),
  ]);
  if (encodedHeaders.size < headersKept) encodedHeaders.set(event, made);
  return made;
}

/** The bytes of a unit: its event is the type of the event or the exception. */
export function encodeUnit({ event = '', data, json, wrong }: Unit): Uint8Array {
  const payload = Buffer.from(json ?? (typeof data === 'string' ? data : JSON.stringify(data)));
  const bytes = messageOf(headersOf(event), payload);
  const at = wrong === 'prelude' ? 11 : bytes.length - 1;
  if (wrong !== undefined) bytes[at] = ~(bytes[at] ?? 0);
  return bytes;
}

/**
 * Reads what a message says.
 *
 * @example
 * messageWords({ headers: [], payload: new Uint8Array(0) }).fault; // 'expected :message-type to be event, exception or error; it is missing'
 */
export function messageWords(message: EventMessage): MessageWords {
  const payload = decoder.decode(message.payload);
  const type = headerText(message, ':message-type');
  if (type === 'event' || type === 'exception') {
    const name = headerText(message, `:${type}-type`);
    return {
      kind: type,
      name: name ?? '',
      data: parsed(payload),
      text: payload,
      ...(name === undefined && {
        fault: `expected :${type}-type beside :message-type ${type}; it is missing`,
      }),
    };
  }
  const code = headerText(message, ':error-code') ?? '';
  const said = { code, message: headerText(message, ':error-message') ?? '' };
  if (type === 'error') return { kind: type, name: ':error', data: said, text: payload };
  const came = type === undefined ? 'it is missing' : `came ${JSON.stringify(type.slice(0, 80))}`;
  return {
    kind: 'other',
    name: '',
    data: parsed(payload),
    text: payload,
    fault: `expected :message-type to be event, exception or error; ${came}`,
  };
}

function parsed(payload: string): Json | undefined {
  try {
    return jsonOf(payload);
  } catch {
    return undefined;
  }
}
