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
 * The carrier that the placeholders of a command show: `{url}` means a WebSocket, the variable of a server of
 * the suite HTTP, another placeholder TCP. A command without a placeholder uses its stdin and stdout. Without a command, the URL
 * to dial shows the carrier; the default is TCP. A suite without TCP uses a WebSocket in its place.
 *
 * @param offered - the carriers of the suite
 * @param served - the names of the variables of the suite's servers
 *
 * @example
 * shownCarrier(['./my-subagent', '--orchestrator', '{address}'], undefined, ['tcp', 'stdio']); // 'tcp'
 * shownCarrier([], 'wss://agents.example/toon', ['tcp', 'ws']); // 'ws'
 * shownCarrier(['./my-engine', '--port', '{port}'], undefined, ['stdio', 'ws']); // 'ws'
 * shownCarrier(['./my-agent', '{model_url}'], undefined, ['stdio', 'http'], ['model_url']); // 'http'
 */
export function shownCarrier(
  command: readonly string[],
  url: string | undefined,
  offered: readonly Carrier[],
  served: readonly string[] = [],
): Carrier {
  const shows = (placeholder: string): boolean => command.some((arg) => arg.includes(placeholder));
  if (shows('{url}') || (url !== undefined && /^wss?:/.test(url))) return 'ws';
  if (served.some((variable) => shows(`{${variable}}`))) return 'http';
  if (command.length > 0 && !places.some(shows)) return 'stdio';
  return offered.includes('tcp') || !offered.includes('ws') ? 'tcp' : 'ws';
}
