/** The carriers of messages between two programs, for protocols that do not use gRPC. */

/**
 * `tcp` and `stdio` carry bytes; `ws` carries messages. `http`: the target is a whole program that only talks to the
 * kit's HTTP server.
 */
export const carriers = ['stdio', 'tcp', 'ws', 'http'] as const;

/** One of {@link carriers}. */
export type Carrier = (typeof carriers)[number];

const places = ['{address}', '{listen}', '{port}'];

/**
 * The carrier that the placeholders of a command show: `{url}` means a WebSocket, the variable of the suite's server
 * HTTP, another placeholder TCP. A command without a placeholder uses its stdin and stdout. Without a command, the URL
 * to dial shows the carrier; the default is TCP.
 *
 * @param served - the name of the variable of the suite's server; absent: the suite has no server
 *
 * @example
 * shownCarrier(['./my-subagent', '--orchestrator', '{address}'], undefined); // 'tcp'
 * shownCarrier([], 'wss://agents.example/toon'); // 'ws'
 * shownCarrier(['./my-agent', '{model_url}'], undefined, 'model_url'); // 'http'
 */
export function shownCarrier(command: readonly string[], url: string | undefined, served?: string): Carrier {
  const shows = (placeholder: string): boolean => command.some((arg) => arg.includes(placeholder));
  if (shows('{url}') || (url !== undefined && /^wss?:/.test(url))) return 'ws';
  if (served !== undefined && shows(`{${served}}`)) return 'http';
  return command.length === 0 || places.some(shows) ? 'tcp' : 'stdio';
}
