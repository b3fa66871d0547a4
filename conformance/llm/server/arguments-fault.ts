/** The fault of a complete call's arguments: LLM-S11. */
import { isObject } from '../../../src/kit/base/index.ts';
import { described } from './dialects/shape.ts';
import { shown } from './words.ts';

/** The value of JSON text. Undefined when it does not parse. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The fault of arguments that are JSON text. Undefined for an object, encoded once. */
export function argumentsFault(text: string): string | undefined {
  const value = parsed(text);
  if (value === undefined) return `expected the arguments of a complete call to be JSON; came ${shown(text)}`;
  if (isObject(value)) return undefined;
  const twice = typeof value === 'string' ? '; they are encoded twice' : '';
  return `expected the arguments of a complete call to be a JSON object; ${described(value)}${twice}`;
}
