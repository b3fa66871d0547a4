/**
 * The routes of the operator's HTTP interface: the published ones, and this project's for cancel, inject and events
 * (spec/fold/README.md, "The operator"). The face turns requests into operator calls, the driver calls into requests.
 */
import { ok, refuse } from '../../../kit/base/index.ts';
import type { Result } from '../../../kit/base/index.ts';
import type { OperatorAnswers, OperatorRequest, OperatorVerb } from '../../operator.ts';
import { readFields } from './fields.ts';
import type { Fields } from './fields.ts';

/** The calls with a route. */
export type HttpVerb = Exclude<OperatorVerb, 'shutdown'>;

/** The paths of the calls; `{thread_id}` stands for one segment. */
export type HttpPaths = { readonly [V in HttpVerb]: string };

/** The route of a call. */
export interface Route {
  readonly path: string;
  /** The fields of the JSON body of a POST; absent: a GET. */
  readonly fields?: Fields;
  /** The name of its one answer; absent: it answers by a stream of events. */
  readonly answer?: Exclude<keyof OperatorAnswers, 'event'>;
}

/** The routes by call. */
export const routes: { readonly [V in HttpVerb]: Route } = {
  agents: { path: '/api/agents', answer: 'agents' },
  send: {
    path: '/api/send',
    fields: {
      content: { type: 'text', required: true },
      sender: { type: 'string', default: 'operator' },
      thread_id: { type: 'string' },
      agent_id: { type: 'string' },
      attachments: { type: 'attachments' },
    },
  },
  approve: {
    path: '/api/tools/approve',
    answer: 'ok',
    fields: {
      agent_id: { type: 'text', required: true },
      tool_id: { type: 'text', required: true },
      approved: { type: 'boolean', required: true },
      approve_all: { type: 'boolean' },
    },
  },
  thread_usage: { path: '/api/threads/{thread_id}/usage', answer: 'thread_usage' },
  stats: { path: '/api/stats/usage', answer: 'stats' },
  cancel: {
    path: '/api/cancel',
    answer: 'ok',
    fields: { request_id: { type: 'text' }, thread_id: { type: 'text' }, reason: { type: 'string' } },
  },
  inject: {
    path: '/api/inject',
    answer: 'injected',
    fields: {
      agent_id: { type: 'text', required: true },
      content: { type: 'text', required: true },
      priority: { type: ['immediate', 'normal', 'deferred'] },
      source: { type: 'string' },
    },
  },
  events: { path: '/api/events' },
};

const verbs = Object.keys(routes) as HttpVerb[];

/** The HTTP method of a route. */
export const methodOf = ({ fields }: Route): 'GET' | 'POST' => (fields === undefined ? 'GET' : 'POST');

/** The names of all routes, for a client that asked for another one. */
export const routeNames: readonly string[] = [
  'GET /',
  'GET /health',
  ...Object.values(routes).map((route) => `${methodOf(route)} ${route.path}`),
];

/** The call that a path leads to, and its open segment, still encoded. */
export function findRoute(path: string): { readonly verb: HttpVerb; readonly segment: string } | undefined {
  for (const verb of verbs) {
    const [before = '', after] = routes[verb].path.split('{thread_id}');
    if (after === undefined && before === path) return { verb, segment: '' };
    if (after === undefined || !path.startsWith(before) || !path.endsWith(after)) continue;
    const segment = path.slice(before.length, path.length - after.length);
    if (segment !== '' && !segment.includes('/')) return { verb, segment };
  }
  return undefined;
}

/** The operator call of a request, by its open segment (decoded) and its body; or the reason to refuse it. */
export function callOf(verb: HttpVerb, segment: string, body: Uint8Array): Result<OperatorRequest, string> {
  // The fields of a route are the arguments of its call.
  const call = (args: object): OperatorRequest => ({ [verb]: args }) as unknown as OperatorRequest;
  const { fields } = routes[verb];
  if (fields === undefined) return ok(call(verb === 'thread_usage' ? { thread_id: segment } : {}));
  const read = readFields(body, fields);
  if (!read.ok) return read;
  if (verb === 'cancel' && read.value['request_id'] === undefined && read.value['thread_id'] === undefined)
    return refuse('request_id or thread_id: expected at least one of them; came neither');
  return ok(call(read.value));
}

/** An operator call as an HTTP request. */
export interface HttpCall {
  readonly verb: HttpVerb;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON. */
  readonly body: string | undefined;
}

/** The HTTP request of a call; undefined for a call without a route. `paths` replace those of the routes. */
export function httpCallOf(request: OperatorRequest, paths: Partial<HttpPaths>): HttpCall | undefined {
  const verb = verbs.find((one) => request[one] !== undefined);
  if (verb === undefined) return undefined;
  const method = methodOf(routes[verb]);
  const thread = encodeURIComponent(request.thread_usage?.thread_id ?? '');
  const path = (paths[verb] ?? routes[verb].path).replaceAll('{thread_id}', () => thread);
  return { verb, method, path, body: method === 'GET' ? undefined : JSON.stringify(request[verb]) };
}

/** The text of `GET /`. */
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
