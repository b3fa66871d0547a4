/** What carries a protocol's messages between two programs, where it is not gRPC. */

/**
 * `tcp` and `stdio` carry bytes, `ws` keeps messages apart. `http`: the target is a whole program, and speaks only with
 * the server that the kit is beside its carriers.
 */
export const carriers = ['stdio', 'tcp', 'ws', 'http'] as const;

/** One of {@link carriers}. */
export type Carrier = (typeof carriers)[number];

const places = ['{address}', '{listen}', '{port}'];

/**
 * What a command shows that it speaks on: `{url}` a WebSocket, `{llm_url}` the kit's server, a place TCP, none of them
 * its stdin and stdout. Without a command: what the URL to dial says, else TCP.
 *
 * @example
 * shownCarrier(['./my-subagent', '--orchestrator', '{address}'], undefined); // 'tcp'
 */
export function shownCarrier(command: readonly string[], url: string | undefined): Carrier {
  const shows = (placeholder: string): boolean => command.some((arg) => arg.includes(placeholder));
  if (shows('{url}') || url?.startsWith('ws:') === true) return 'ws';
  if (shows('{llm_url}')) return 'http';
  return command.length === 0 || places.some(shows) ? 'tcp' : 'stdio';
}
