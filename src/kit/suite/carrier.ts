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
 * The carrier that a command shows. A command with `{url}` dials a WebSocket, one with the variable of the server that
 * the suite serves uses HTTP, one with another place uses TCP, and one without places its stdin and stdout. Without a
 * command, the URL to dial shows the carrier; the default is TCP.
 *
 * @param served - the name of the variable of the suite's server; absent: the suite serves nothing
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
