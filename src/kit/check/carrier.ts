/** What carries a protocol's messages between two programs, where it is not gRPC. */

/** `tcp` and `stdio` carry bytes, `ws` keeps messages apart. */
export const carriers = ['stdio', 'tcp', 'ws'] as const;

/** One of {@link carriers}. */
export type Carrier = (typeof carriers)[number];

const places = ['{address}', '{listen}', '{port}'];

/**
 * What a command shows that it speaks on: `{url}` a WebSocket, a place TCP, neither its stdin and stdout. Without a
 * command: what the URL to dial says, else TCP.
 *
 * @example
 * shownCarrier(['./my-subagent', '--orchestrator', '{address}'], undefined); // 'tcp'
 */
export function shownCarrier(command: readonly string[], url: string | undefined): Carrier {
  const shows = (placeholder: string): boolean => command.some((arg) => arg.includes(placeholder));
  if (shows('{url}') || url?.startsWith('ws:') === true) return 'ws';
  return command.length === 0 || places.some(shows) ? 'tcp' : 'stdio';
}
