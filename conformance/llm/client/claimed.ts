/** The features of a client: its dialects, and whether it streams. */
import type { Hello } from '../../../src/kit/suite/index.ts';
import { dialects as allDialects } from '../../../src/llm/index.ts';
import type { ClientView } from './view.ts';

/** The feature of a testee that streams. */
const streaming = 'streaming';

/** A testee that never streams says so in `hello`. */
const streams = ({ hello }: ClientView): boolean => hello?.answer['streams'] !== false;

/** The dialects that the testee named or used, and whether it streams. */
export function advertisedOf(view: ClientView): readonly string[] {
  const { dialects = [], unsupported, spoken } = view;
  const names = [...new Set([...dialects, ...spoken])].filter((name) => !unsupported.has(name));
  // A client that asked in other dialects only has shown nothing.
  if (names.length === 0 && view.foreign !== undefined) return [];
  return streams(view) ? [...names, streaming] : names;
}

/** The testee's answer to `hello`. Its dialects are features; a testee that names none may speak them all. */
export function helloOf(view: ClientView): Hello | undefined {
  const { hello, dialects = [] } = view;
  if (hello === undefined) return undefined;
  if (streams(view)) return { ...hello, features: dialects.length === 0 ? [] : [...dialects, streaming] };
  return { ...hello, features: dialects.length === 0 ? allDialects : dialects };
}
