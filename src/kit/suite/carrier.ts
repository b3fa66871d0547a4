/** What carries a protocol's messages between two programs, for protocols that are not on gRPC. */

/**
 * `tcp` and `stdio` carry bytes, `ws` carries messages. `http`: the target is a whole program, which speaks only with
 * the server that the kit runs beside its carriers.
 */
export const carriers = ['stdio', 'tcp', 'ws', 'http'] as const;

/** One of {@link carriers}. */
export type Carrier = (typeof carriers)[number];

const places = ['{address}', '{listen}', '{port}'];

/**
 * The carrier that a command shows: `{url}` a WebSocket, `{llm_url}` the kit's server, another place TCP, no place its
 * stdin and stdout. Without a command, the URL to dial shows it; the default is TCP.
 *
 * @example
 * shownCarrier(['./my-subagent', '--orchestrator', '{address}'], undefined); // 'tcp'
 * shownCarrier([], 'wss://agents.example/toon'); // 'ws'
 */
export function shownCarrier(command: readonly string[], url: string | undefined): Carrier {
  const shows = (placeholder: string): boolean => command.some((arg) => arg.includes(placeholder));
  if (shows('{url}') || (url !== undefined && /^wss?:/.test(url))) return 'ws';
  if (shows('{llm_url}')) return 'http';
  return command.length === 0 || places.some(shows) ? 'tcp' : 'stdio';
}
