/** Operator calls as the HTTP requests of the operator face, and its JSON answers as operator replies. */
import { isObject } from '../../../kit/base/index.ts';
import type { OperatorRequest, OperatorVerb } from '../../operator.ts';

/** The calls that the face offers. */
export type HttpVerb = Exclude<OperatorVerb, 'shutdown'>;

/** Paths below the url; `{thread_id}` is filled in. */
export type HttpPaths = { readonly [V in HttpVerb]: string };

/** The published paths, and ours. */
export const defaultPaths: HttpPaths = {
  send: '/api/send',
  cancel: '/api/cancel',
  inject: '/api/inject',
  approve: '/api/tools/approve',
  agents: '/api/agents',
  thread_usage: '/api/threads/{thread_id}/usage',
  stats: '/api/stats/usage',
  events: '/api/events',
};

/** One HTTP request. */
export interface HttpCall {
  readonly verb: HttpVerb;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

/** The HTTP request of a call; nothing where the face has none. */
export function httpCallOf(request: OperatorRequest, paths: HttpPaths): HttpCall | undefined {
  const post = (verb: HttpVerb, body: unknown): HttpCall => ({
    verb,
    method: 'POST',
    path: paths[verb],
    body: JSON.stringify(body),
  });
  const get = (verb: HttpVerb, path = paths[verb]): HttpCall => ({ verb, method: 'GET', path });
  if (request.send !== undefined) return post('send', request.send);
  if (request.cancel !== undefined) return post('cancel', request.cancel);
  if (request.inject !== undefined) return post('inject', request.inject);
  if (request.approve !== undefined) return post('approve', request.approve);
  if (request.thread_usage !== undefined) {
    const id = encodeURIComponent(request.thread_usage.thread_id);
    return get(
      'thread_usage',
      paths.thread_usage.replaceAll('{thread_id}', () => id),
    );
  }
  if (request.agents !== undefined) return get('agents');
  if (request.stats !== undefined) return get('stats');
  if (request.events !== undefined) return get('events');
  return undefined;
}

/** Events whose own data has fields by the names of those that say whose an event is. */
const ownFields: { readonly [event: string]: readonly string[] } = {
  started: ['request_id', 'thread_id', 'agent_id'],
  tool_approval: ['request_id'],
};

/** An event of `GET /api/events` as the operator's `event`: whose it is, apart from its data. */
export function eventOfAny(name: string, data: unknown): unknown {
  const all = isObject(data) ? data : { data };
  const text = (key: string): string => {
    const value = all[key];
    return typeof value === 'string' ? value : '';
  };
  const whose = {
    request_id: text('request_id'),
    thread_id: text('thread_id'),
    agent_id: text('agent_id'),
  };
  const own = ownFields[name] ?? [];
  const rest = Object.entries(all).filter(([key]) => own.includes(key) || !Object.hasOwn(whose, key));
  return { ...whose, name, data: Object.fromEntries(rest) };
}

/** A JSON answer as the reply it stands for; nothing where it is not what was expected. */
export function replyOf(
  verb: HttpVerb,
  body: unknown,
): { readonly name: string; readonly data: unknown } | undefined {
  switch (verb) {
    case 'cancel':
    case 'approve':
      return { name: 'ok', data: {} }; // The status says it all; bodies differ.
    case 'inject': {
      const id = isObject(body) ? body['injection_id'] : undefined;
      return { name: 'injected', data: { injection_id: typeof id === 'string' ? id : '' } };
    }
    case 'agents': {
      const list = isObject(body) ? body['agents'] : body;
      return Array.isArray(list) ? { name: 'agents', data: list } : undefined;
    }
    case 'thread_usage':
    case 'stats':
      return isObject(body) ? { name: verb, data: body } : undefined;
    case 'send':
    case 'events':
      return undefined; // They answer as streams.
    default:
      return verb satisfies never;
  }
}
