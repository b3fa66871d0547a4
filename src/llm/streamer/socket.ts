/** WebSockets: LM Studio's own, and Responses of OpenAI's; each by its path. */
import type { Json } from '../../kit/base/index.ts';
import { lmMessage, startLmSocket } from './lmstudio-socket.ts';
import { responsesMessage, startResponsesSocket, unreadableRequest } from './responses-socket.ts';
import { pathOf, routeOf } from './routes.ts';
import type { Route } from './routes.ts';
import type { SocketSession, StreamerState, StreamerStep } from './state.ts';

/** The namespaces of LM Studio, each a path (`@lmstudio/sdk` 2.0, LMStudioClient). */
const lmNamespaces: ReadonlySet<string> = new Set([
  'diagnostics',
  'embedding',
  'files',
  'llm',
  'plugins',
  'repository',
  'runtime',
  'system',
]);

/** Responses over WebSocket has the path of its requests on HTTP. */
const responses: readonly Route[] = [{ method: 'GET', path: '/v1/responses' }];

const dialectAt = (target: string): SocketSession['dialect'] | undefined => {
  if (lmNamespaces.has(pathOf(target).slice(1))) return 'lmstudio';
  const route = routeOf(responses, { method: 'GET', target, headers: {} });
  return route === undefined ? undefined : 'openai-responses';
};

/** Whether this path and query takes WebSockets. `responses`: whether those of Responses do. */
export function takesWebSockets(target: string, responses: boolean): boolean {
  const dialect = dialectAt(target);
  return dialect !== undefined && (dialect !== 'openai-responses' || responses);
}

/** A socket that was opened at this target, such as `/llm`; undefined: nothing is there. */
export function startSocket(target: string, model: string, state: StreamerState): SocketSession | undefined {
  const dialect = dialectAt(target);
  if (dialect === undefined) return undefined;
  return dialect === 'lmstudio'
    ? startLmSocket(pathOf(target).slice(1), model)
    : startResponsesSocket(target, state);
}

/** Takes a message of a socket's client. */
export function socketMessage(step: StreamerStep, peer: string, socket: SocketSession, message: Json): void {
  if (socket.dialect === 'lmstudio') lmMessage(step, peer, socket, message);
  else responsesMessage(step, peer, socket, message);
}

/** A message that is no JSON. LM Studio has no answer to it, and closes the socket. */
export function unreadableMessage(
  step: StreamerStep,
  peer: string,
  { dialect }: SocketSession,
  reason: string,
): void {
  if (dialect === 'openai-responses') unreadableRequest(step, peer, reason);
  else step.out.push({ type: 'close', peer, status: { code: 1007, message: reason.slice(0, 100) } });
}
