/** Values in messages. */

/** The value if it is a text, else the empty text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A value as short JSON, for messages. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'no value' : JSON.stringify(value);
  return text.length <= 120 ? text : `${text.slice(0, 117)}…`;
}
