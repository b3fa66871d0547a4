/** The rule about clients that come back on another WebSocket of Responses. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { ClientView } from '../view.ts';

/**
 * LLM-C45. Violated by a request that continues a response of another WebSocket, which was not stored. Exercised by the first
 * request of a WebSocket after such a response in the same turn.
 */
function judgeReconnected(view: ClientView, event: TraceEvent): Findings {
  const { stream } = event;
  const { body } = event.data;
  if (!isObject(body) || body['type'] !== 'response.create') return undefined;
  const { previous_response_id: previous } = body;
  const own = view.sockets.get(stream);
  const others = [...view.sockets].filter(([name]) => name !== stream);
  if (typeof previous === 'string' && own?.hasOwn(previous) !== true) {
    const lost = others.some(([, socket]) => socket.hasOwn(previous));
    const message = `expected a request with the whole conversation, because ${previous} came on another connection and is not stored; came one that continues it`;
    if (lost) return violated(event, message);
  }
  if (own?.isNew === false) return undefined;
  const before = view.ask?.exchanges.map((exchange) => exchange.stream) ?? [];
  return others.some(([name, socket]) => before.includes(name) && socket.hasOwn())
    ? exercised(event)
    : undefined;
}

export const socketRules: readonly Rule<ClientView>[] = [
  rule({
    requirement: 'LLM-C45',
    listens: ['request'],
    start: () => null,
    step: (_, event, view: ClientView) => judgeReconnected(view, event),
  }),
];
