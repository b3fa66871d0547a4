/** The features of a client: its dialects, whether it streams, whether it asks on a WebSocket of Responses, and what it knows of Chat's providers. */
import type { Hello } from '../../../src/kit/suite/index.ts';
import { dialects as allDialects } from '../../../src/llm/index.ts';
import type { ClientView } from './view.ts';

/** The feature of a testee that streams. */
const streaming = 'streaming';

/** The feature of a client that asks on a WebSocket of Responses. */
const webSocket = 'websocket';

/** A testee that can ask on a WebSocket says so in `hello`. */
const saysWebSocket = ({ hello }: ClientView): boolean => {
  const carriers = hello?.answer['carriers'];
  return Array.isArray(carriers) && carriers.includes('ws');
};

/** The providers of Chat Completions whose own members and chunks a testee can know. */
export const chatProviders = ['azure', 'openrouter', 'mistral'] as const;

/** A testee that knows some of them says so in `hello`. */
function providersOf({ hello }: ClientView): readonly string[] {
  const named = hello?.answer['providers'];
  return Array.isArray(named) ? chatProviders.filter((name) => named.includes(name)) : [];
}

/** A testee that never streams says so in `hello`. */
const streams = ({ hello }: ClientView): boolean => hello?.answer['streams'] !== false;

/** The dialects that the testee named or used, and whether it streams. */
export function advertisedOf(view: ClientView): readonly string[] {
  const { dialects = [], unsupported, spoken } = view;
  const names = [...new Set([...dialects, ...spoken])].filter((name) => !unsupported.has(name));
  // A client that asked in other dialects only has shown nothing.
  if (names.length === 0 && view.foreign !== undefined) return [];
  const onSocket = saysWebSocket(view) || view.sockets.size > 0;
  const more = [...(onSocket ? [webSocket] : []), ...providersOf(view)];
  return [...names, ...(streams(view) ? [streaming] : []), ...more];
}

/** The testee's answer to `hello`. Its dialects are features; a testee that names none may speak them all. */
export function helloOf(view: ClientView): Hello | undefined {
  const { hello, dialects = [] } = view;
  if (hello === undefined) return undefined;
  const isSilent = dialects.length === 0;
  const streamed = streams(view) ? [streaming] : [];
  // A testee that names no dialects need not name its carriers either.
  const onSocket = saysWebSocket(view) || (isSilent && streams(view)) ? [webSocket] : [];
  const named = isSilent ? allDialects : dialects;
  return { ...hello, features: [...named, ...streamed, ...onSocket, ...providersOf(view)] };
}
