/** FOLD-A42 over both wires: in which model request an injection stands, by its priority. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Finding, Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { begunExchange, isOver, standsIn } from '../exchanges.ts';
import type { BothView, GatewayRequest, GivenInjection, ModelExchange } from '../records.ts';
import { endOf } from '../responses.ts';
import { endTopics } from '../topics.ts';
import { agentMessage, requestOfResponse, responseOf } from '../view.ts';
import { tellingInjections } from './injections.ts';

/** A model request that comes so soon after the ack may have been made before it (ms). */
const crossing = 100;

/** An injection that is still to be judged. */
interface Waiting {
  readonly injection: GivenInjection;
  /** The request that ran alone when it came; undefined: no request ran. */
  readonly owner: GatewayRequest | undefined;
  /** The thread of the newest request then. */
  readonly thread: string | undefined;
  /** Whether an IMMEDIATE one has to reach the model: it was answering the owner, or the owner has asked it since. */
  owed: boolean;
}

/** The most injections that wait. */
const waitingKept = 256;

/** The place of an injection that was just acknowledged; undefined where several requests ran. */
function waitingOf(view: BothView, event: TraceEvent): Waiting | undefined {
  const { injection_ack: ack } = agentMessage(event);
  const injection = view.injections.get(ack?.injection_id ?? '');
  if (ack?.accepted !== true || injection === undefined || injection.ack !== undefined) return undefined;
  // It reached the model before its ack reached the gateway.
  if (injection.threads.size > 0) return undefined;
  const [owner, other] = injection.running;
  if (other !== undefined || owner?.cancel !== undefined) return undefined;
  return {
    injection,
    owner,
    thread: [...view.requests.values()].at(-1)?.thread,
    owed: owner?.exchanges.some((one) => !isOver(one)) === true,
  };
}

const words = ({ priority, id }: GivenInjection): string => `${priority} injection ${id}`;

/** Judges an injection at a model request; undefined: it goes on waiting. */
function atRequest(
  waiting: Waiting,
  exchange: ModelExchange,
  event: TraceEvent,
  view: BothView,
): Finding | 'drop' | undefined {
  const { injection, owner } = waiting;
  const { priority } = injection;
  const stands = standsIn(injection, exchange) > 0;
  const isOwners = owner !== undefined && exchange.owner === owner;
  if (priority === 'DEFERRED' && isOwners)
    return stands
      ? violated(
          event,
          `expected ${words(injection)} after request ${owner.id}; it stands in a model request of it`,
          [injection.seq],
        )
      : undefined;
  if (stands)
    return isOwners || owner?.ended !== undefined || owner === undefined ? exercised(event) : 'drop';
  if (event.at - (injection.ack?.at ?? 0) < crossing + view.late || repeatsLast(exchange)) return undefined;
  if (priority === 'IMMEDIATE') return void (waiting.owed ||= isOwners);
  // Another conversation, or one of several, may have nothing to do with it.
  if (exchange.owner === undefined) return undefined;
  if (mayBeElsewhere(view, waiting, exchange) || (!isOwners && !isNext(waiting, exchange.owner)))
    return 'drop';
  return violated(
    event,
    `expected ${words(injection)} in this model request, the first one after its ack; it is not there`,
    [injection.seq],
  );
}

/** Whether a model request belongs to a later request of the same thread. Without any thread so far, each is the same. */
function isNext({ injection, owner, thread }: Waiting, next: GatewayRequest): boolean {
  if (owner === undefined) return next.at > injection.at && (thread === undefined || next.thread === thread);
  return next.thread === owner.thread && next.at > (owner.ended?.at ?? Infinity);
}

/**
 * Whether the agent may have given an injection to another request than that of a model request: to one that runs, too, or
 * to one that was sent since, and ended before its model request arrived.
 */
function mayBeElsewhere({ requests }: BothView, { injection }: Waiting, { owner }: ModelExchange): boolean {
  const others = [...requests.values()].filter((one) => one !== owner);
  return others.some(
    ({ ended, at, exchanges }) => ended === undefined || (at > injection.at && exchanges.length === 0),
  );
}

/** Whether a model request is another attempt at the one before it. */
function repeatsLast({ owner, messages }: ModelExchange): boolean {
  const last = owner?.exchanges.at(-1);
  return last !== undefined && JSON.stringify(last.messages) === JSON.stringify(messages);
}

/** Judges an IMMEDIATE injection at the end of its request. */
function atEnd(
  { injection, owner, owed }: Waiting,
  request: GatewayRequest,
  event: TraceEvent,
): Finding | 'drop' | undefined {
  if (owner !== request || injection.priority !== 'IMMEDIATE') return undefined;
  if (endOf(responseOf(event))?.how !== 'done' || !owed) return 'drop';
  return violated(
    event,
    `expected ${words(injection)} in a model request of ${request.id}; the request ended without it`,
    [injection.seq],
  );
}

const byPriority: Rule<BothView> = rule({
  requirement: 'FOLD-A42',
  listens: ['injection_ack', 'told.request', ...endTopics],
  start: () => new Map<string, Waiting>(),
  step(all, event, view: BothView): Findings {
    const begun = waitingOf(view, event);
    if (begun !== undefined && all.size < waitingKept) return void all.set(begun.injection.id, begun);
    const exchange = begunExchange(view, event);
    const request = requestOfResponse(view, event);
    const telling = new Set(tellingInjections(view));
    const found: Finding[] = [];
    for (const [id, waiting] of all) {
      if (!telling.has(waiting.injection)) continue;
      const verdict =
        exchange === undefined
          ? request && atEnd(waiting, request, event)
          : atRequest(waiting, exchange, event, view);
      if (verdict === undefined) continue;
      all.delete(id);
      if (verdict !== 'drop') found.push(verdict);
    }
    return found;
  },
});

export const priorityRules: readonly Rule<BothView>[] = [byPriority];
