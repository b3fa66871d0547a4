/**
 * The routes of the operator face: the published ones, and ours for cancel, inject and events where nothing is
 * published (spec/fold/README.md, "The operator"). A route says which operator call a request is.
 */
import { ok, refuse } from '../../../kit/base/index.ts';
import type { Result } from '../../../kit/base/index.ts';
import type { OperatorCalls, OperatorRequest } from '../../operator.ts';
import { readFields } from './fields.ts';
import type { Fields } from './fields.ts';

/** What answers a route: a stream of events, or the one operator answer of this name. */
export type Shape = 'send' | 'events' | 'agents' | 'thread_usage' | 'stats' | 'injected' | 'ok';

/** A route that is an operator call. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** `{thread_id}` stands for one segment. */
  readonly path: string;
  readonly shape: Shape;
  /** The call, from the segment that was left open (decoded) and the body. */
  readonly call: (segment: string, body: Uint8Array) => Result<OperatorRequest, string>;
}

const send: Fields = {
  content: { type: 'text', required: true },
  sender: { type: 'string' },
  thread_id: { type: 'string' },
  agent_id: { type: 'string' },
  attachments: { type: 'attachments' },
};
const cancel: Fields = {
  request_id: { type: 'text' },
  thread_id: { type: 'text' },
  reason: { type: 'string' },
};
const inject: Fields = {
  agent_id: { type: 'text', required: true },
  content: { type: 'text', required: true },
  priority: { type: ['immediate', 'normal', 'deferred'] },
  source: { type: 'string' },
};
const approve: Fields = {
  agent_id: { type: 'text', required: true },
  tool_id: { type: 'text', required: true },
  approved: { type: 'boolean', required: true },
  approve_all: { type: 'boolean' },
};

/** Reads a body as the arguments of a call; the fields say that they are these. */
function args<T>(body: Uint8Array, fields: Fields): Result<T, string> {
  return readFields(body, fields) as Result<T, string>;
}

/** All routes that are operator calls. */
export const routes: readonly Route[] = [
  { method: 'GET', path: '/api/agents', shape: 'agents', call: () => ok({ agents: {} }) },
  {
    method: 'POST',
    path: '/api/send',
    shape: 'send',
    call(_, body) {
      const read = args<Omit<OperatorCalls['send'], 'sender'>>(body, send);
      return read.ok ? ok({ send: { sender: 'operator', ...read.value } }) : read;
    },
  },
  {
    method: 'POST',
    path: '/api/tools/approve',
    shape: 'ok',
    call(_, body) {
      const read = args<OperatorCalls['approve']>(body, approve);
      return read.ok ? ok({ approve: read.value }) : read;
    },
  },
  {
    method: 'GET',
    path: '/api/threads/{thread_id}/usage',
    shape: 'thread_usage',
    call: (thread_id) => ok({ thread_usage: { thread_id } }),
  },
  { method: 'GET', path: '/api/stats/usage', shape: 'stats', call: () => ok({ stats: {} }) },
  {
    method: 'POST',
    path: '/api/cancel',
    shape: 'ok',
    call(_, body) {
      const read = args<OperatorCalls['cancel']>(body, cancel);
      if (!read.ok) return read;
      if (read.value.request_id !== undefined || read.value.thread_id !== undefined) {
        return ok({ cancel: read.value });
      }
      return refuse('request_id or thread_id: expected at least one of them; came neither');
    },
  },
  {
    method: 'POST',
    path: '/api/inject',
    shape: 'injected',
    call(_, body) {
      const read = args<OperatorCalls['inject']>(body, inject);
      return read.ok ? ok({ inject: read.value }) : read;
    },
  },
  { method: 'GET', path: '/api/events', shape: 'events', call: () => ok({ events: {} }) },
];

/** Routes that the face answers itself. */
export const ownRoutes: readonly string[] = ['GET /', 'GET /health'];

/** All routes as text, for those who asked for another. */
export const routeNames: readonly string[] = [
  ...ownRoutes,
  ...routes.map(({ method, path }) => `${method} ${path}`),
];

/** Where a path leads: the routes that have it, and the segment it leaves open, still encoded. */
export function routesOf(path: string): { readonly found: readonly Route[]; readonly segment: string } {
  let segment = '';
  const found = routes.filter((route) => {
    const [before = '', after] = route.path.split('{thread_id}');
    if (after === undefined) return route.path === path;
    if (!path.startsWith(before) || !path.endsWith(after)) return false;
    const open = path.slice(before.length, path.length - after.length);
    if (open === '' || open.includes('/') || path.length <= before.length + after.length) return false;
    segment = open;
    return true;
  });
  return { found, segment };
}

/** What `GET /` says. */
export const pageOf = (address: string, withToken: boolean): string => {
  const auth = withToken ? ` -H "Authorization: Bearer $TOKEN"` : '';
  const post = (path: string, body: string): string =>
    `  curl -N${auth} http://${address}${path} -d '${body}'`;
  return `A Fold gateway's operator face. Routes:

${routeNames.map((name) => `  ${name}`).join('\n')}

Try:

  curl${auth} http://${address}/api/agents
${post('/api/send', '{"sender":"me","content":"hello"}')}
${post('/api/cancel', '{"request_id":"…","reason":"enough"}')}
${post('/api/inject', '{"agent_id":"…","content":"by the way","priority":"immediate"}')}
${post('/api/tools/approve', '{"agent_id":"…","tool_id":"…","approved":true}')}
  curl -N${auth} http://${address}/api/events

send and events answer as server-sent events; errors are {"error": "…"}.
`;
};
