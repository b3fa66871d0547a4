/** Rules about cancelled requests and their exchanges with the model: AGENT-01 to AGENT-03. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import {
  deadline,
  exercised,
  rule,
  undelayed,
  unknowable,
  violated,
} from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { answeredExchange, begunExchange, isOver, letGoExchanges, mayBeImpatient } from '../exchanges.ts';
import type { BothView, GatewayRequest, ModelExchange } from '../records.ts';
import { letGoTopics } from '../topics.ts';
import { gatewayMessage, requestOfResponse } from '../view.ts';

/** The request that a CancelRequest ends; undefined for other events, and for requests that have ended. */
export function cancelled(view: BothView, event: TraceEvent): GatewayRequest | undefined {
  const id = gatewayMessage(event).cancel_request?.request_id;
  const request = id === undefined ? undefined : view.requests.get(id);
  return request === undefined || request.ended !== undefined ? undefined : request;
}

/** The exchanges of a request that the model still answers. */
export const open = ({ exchanges }: GatewayRequest): readonly ModelExchange[] =>
  exchanges.filter((one) => !isOver(one));

/** A model request that began after the cancel, while its request had not ended yet. */
interface LateRequest {
  readonly seq: number;
  readonly waited: number;
}

/** The most requests with late model requests that are remembered. */
const lateKept = 256;

const noFurther: Rule<BothView> = rule({
  requirement: 'AGENT-01',
  listens: ['told.request', 'response.cancelled'],
  start: () => new Map<string, LateRequest>(),
  step(late, event, view: BothView) {
    const request = requestOfResponse(view, event);
    if (request !== undefined) return atCancelled(late, request, event);
    const { owner } = begunExchange(view, event) ?? {};
    if (owner?.cancel === undefined) return undefined;
    const { id, ended, cancel } = owner;
    const { crossing, letgo } = view.timeouts;
    if (ended === undefined) {
      const waited = event.at - cancel.at;
      if (waited > letgo && late.size < lateKept) late.set(id, { seq: event.seq, waited });
      return undefined;
    }
    return ended.how === 'cancelled' && event.at - ended.at > crossing
      ? violated(event, `expected no model request for ${id} after it was cancelled; one came`, [ended.seq])
      : undefined;
  },
});

function atCancelled(
  late: Map<string, LateRequest>,
  { id, exchanges, ended, cancel }: GatewayRequest,
  event: TraceEvent,
): Findings {
  if (ended !== undefined || cancel === undefined) return undefined;
  const one = late.get(id);
  late.delete(id);
  if (one === undefined) return exchanges.length > 0 ? exercised(event) : undefined;
  const message = `expected no model request for ${id} after its CancelRequest; one came after ${Math.round(one.waited)} ms`;
  return violated(event, message, [cancel.seq, one.seq]);
}

/** The exchanges of cancelled requests that are open after this event and were not before. */
function opened(view: BothView, event: TraceEvent): readonly ModelExchange[] {
  const request = cancelled(view, event);
  if (request !== undefined) return open(request);
  const begun = begunExchange(view, event);
  return begun?.owner?.cancel === undefined || begun.refused ? [] : [begun];
}

const letsGo: Rule<BothView> = deadline({
  requirement: 'AGENT-02',
  listens: ['cancel_request', 'told.request', 'told.answered', ...letGoTopics],
  begins: (event, view: BothView) =>
    opened(view, event).map(({ key, owner }) => ({
      key,
      seq: event.seq,
      at: event.at,
      expected: `the model request of the cancelled request ${owner?.id ?? ''} (${key}) to be let go of`,
    })),
  settles({ key }, event, view) {
    if (letGoExchanges(view, event).some((one) => one.key === key)) return 'exercised';
    // The model was faster than the agent.
    return answeredExchange(view, event)?.key === key ? 'dropped' : undefined;
  },
  within: ({ timeouts }) => timeouts.letgo,
});

/** An exchange that another request's cancel must not touch. */
interface Bystander {
  readonly owner: string;
  readonly cancelSeq: number;
  readonly at: number;
  readonly exchange: ModelExchange;
}

/** The most bystanders that are remembered. */
const bystandersKept = 1024;

const leavesOthers: Rule<BothView> = rule({
  requirement: 'AGENT-03',
  listens: [
    'cancel_request',
    'told.answered',
    'inject_context',
    'shutdown',
    'fold.end',
    'fold.reset',
    ...letGoTopics,
  ],
  start: () => new Map<string, Bystander>(),
  step(bystanders, event, view: BothView) {
    const request = cancelled(view, event);
    if (request !== undefined) return meet(bystanders, request, event, view);
    if (isAnotherReason(event)) return release(bystanders, event, view);
    const answered = answeredExchange(view, event);
    if (answered !== undefined) return bystanders.delete(answered.key) ? exercised(event) : undefined;
    return letGoExchanges(view, event).flatMap(({ key }) => {
      const bystander = bystanders.get(key);
      bystanders.delete(key);
      return bystander === undefined ? [] : (judgeLetGo(bystander, event, view) ?? []);
    });
  },
});

/** Remembers the open exchanges of the other requests at a cancel. Those of the cancelled request need not go on. */
function meet(
  bystanders: Map<string, Bystander>,
  request: GatewayRequest,
  event: TraceEvent,
  view: BothView,
): undefined {
  for (const other of view.requests.values()) {
    if (other === request || other.cancel !== undefined || other.ended !== undefined) continue;
    for (const exchange of open(other))
      if (bystanders.size < bystandersKept)
        bystanders.set(exchange.key, { owner: other.id, cancelSeq: event.seq, at: event.at, exchange });
  }
  bystanders.forEach(({ owner }, key) => void (owner === request.id && bystanders.delete(key)));
  return undefined;
}

/** An injection, a shutdown and the loss of the gateway are reasons to let go of a model request. */
const isAnotherReason = (event: TraceEvent): boolean => {
  const { inject_context: given, shutdown } = gatewayMessage(event);
  return given !== undefined || shutdown !== undefined || (event.wire === 'fold' && event.kind !== 'message');
};

/** Whether a bystander has outlived the time in which a cancel takes effect. */
const outlived = ({ at }: Bystander, event: TraceEvent, { timeouts }: BothView): boolean =>
  event.at - at > timeouts.letgo;

/** Stops judging the bystanders, because the agent has another reason now. */
function release(bystanders: Map<string, Bystander>, event: TraceEvent, view: BothView): Findings {
  const seen = [...bystanders.values()].some((one) => outlived(one, event, view));
  bystanders.clear();
  return seen ? exercised(event) : undefined;
}

function judgeLetGo(bystander: Bystander, event: TraceEvent, view: BothView): Findings {
  if (outlived(bystander, event, view)) return exercised(event);
  if (mayBeImpatient(bystander.exchange, { at: event.at, late: view.late }))
    return unknowable(event, 'the machine was busy: the agent may have let go of a model that was silent');
  if (event.at - bystander.at > undelayed(view.timeouts.letgo, view)) return undefined;
  return violated(
    event,
    `expected the model request of ${bystander.owner} to go on, because another request was cancelled; the agent let go of it`,
    [bystander.cancelSeq],
  );
}

export const cancellationRules: readonly Rule<BothView>[] = [noFurther, letsGo, leavesOthers];
