/**
 * Ids of calls and names of tools that a dialect cannot carry, written otherwise. Two different ones stay different, and
 * the same one is written in the same way in every turn.
 */
import type { GatewayDialect } from './request.ts';

/** The form that a dialect accepts. */
interface Form {
  readonly pattern?: RegExp;
  /** Most characters. */
  readonly most?: number;
}

const word = /^[a-zA-Z0-9_-]+$/;

/** Sources: spec/llm/refusals.yaml; for Responses "call_id: maxLength 64". */
const idForms: { readonly [D in GatewayDialect]: Form } = {
  anthropic: { pattern: word },
  'openai-chat': { most: 40 },
  'openai-responses': { most: 64 },
  ollama: {},
};

/** Sources: spec/llm/refusals.yaml; "Must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64". */
const nameForms: { readonly [D in GatewayDialect]: Form } = {
  anthropic: { pattern: word, most: 128 },
  'openai-chat': { pattern: word, most: 64 },
  'openai-responses': { pattern: word, most: 64 },
  ollama: {},
};

/** An id of a call in this dialect. */
export const carriedId = (dialect: GatewayDialect, id: string): string => carried(id, idForms[dialect]);

/** A name of a tool in this dialect. */
export const carriedName = (dialect: GatewayDialect, name: string): string =>
  carried(name, nameForms[dialect]);

/** The starts of texts that are made here. A text from outside that has one is escaped, so that it equals none of them. */
const made = { escaped: 'escaped_', hashed: 'hashed_' };

function carried(text: string, { pattern, most = Infinity }: Form): string {
  if (pattern === undefined && most === Infinity) return text;
  const isMade = text.startsWith(made.escaped) || text.startsWith(made.hashed);
  if (!isMade && text.length <= most && (pattern === undefined || pattern.test(text))) return text;
  const escaped = `${made.escaped}${text.replaceAll(/[^a-zA-Z0-9-]/g, escape)}`;
  return escaped.length <= most ? escaped : `${made.hashed}${hash(text)}`;
}

/** A character as its code, in four digits. */
const escape = (char: string): string => `_${codeOf(char)}`;

const codeOf = (char: string): string => char.charCodeAt(0).toString(16).padStart(4, '0');

/** FNV-1a with 128 bits, in 32 digits, over the codes of the characters. */
function hash(text: string): string {
  let value = offset;
  for (let i = 0; i < text.length; i++)
    value = BigInt.asUintN(128, (value ^ BigInt(text.charCodeAt(i))) * prime);
  return value.toString(16).padStart(32, '0');
}

const offset = 0x6c62272e07bb014262b821756295c58dn;
const prime = 0x0000000001000000000000000000013bn;
