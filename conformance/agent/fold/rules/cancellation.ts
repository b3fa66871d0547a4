/** Rules about cancelled requests and their exchanges with the model: AGENT-01 to AGENT-03. */
import { deadline, exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import { letGoTopics } from '../topics.ts';
import {
  answeredExchange,
  begunExchange,
  gatewayMessage,
  isOver,
  letGoExchange,
  requestOfResponse,
} from '../view.ts';
import type { BothView, GatewayRequest, ModelExchange } from '../view.ts';

/** The request that a CancelRequest ends; undefined for other events, and for requests that have ended. */
function cancelled(view: BothView, event: Parameters<typeof gatewayMessage>[0]): GatewayRequest | undefined {
  const id = gatewayMessage(event).cancel_request?.request_id;
  const request = id === undefined ? undefined : view.requests.get(id);
  return request === undefined || request.ended !== undefined ? undefined : request;
}

/** The exchanges of a request that the model still answers. */
const open = ({ exchanges }: GatewayRequest): readonly ModelExchange[] =>
  exchanges.filter((one) => !isOver(one));

const noFurther: Rule<BothView> = rule({
  requirement: 'AGENT-01',
  listens: ['told.request', 'response.cancelled'],
  start: () => null,
  step(_, event, view: BothView) {
    const request = requestOfResponse(view, event);
    if (request !== undefined) return request.exchanges.length > 0 ? exercised(event) : undefined;
    const owner = begunExchange(view, event)?.owner;
    return owner?.ended?.how === 'cancelled' && event.at - owner.ended.at > view.timeouts.crossing
      ? violated(event, `expected no model request for ${owner.id} after it was cancelled; one came`, [
          owner.ended.seq,
        ])
      : undefined;
  },
});

const letsGo: Rule<BothView> = deadline({
  requirement: 'AGENT-02',
  listens: ['cancel_request', 'told.answered', ...letGoTopics],
  begins(event, view: BothView) {
    const request = cancelled(view, event);
    return (request === undefined ? [] : open(request)).map(({ stream }) => ({
      key: stream,
      seq: event.seq,
      at: event.at,
      expected: `the model request of the cancelled request ${request?.id ?? ''} (${stream}) to be let go of`,
    }));
  },
  settles({ key }, event, view) {
    if (letGoExchange(view, event)?.stream === key) return 'exercised';
    // The model was faster than the agent.
    return answeredExchange(view, event)?.stream === key ? 'dropped' : undefined;
  },
  within: ({ timeouts }) => timeouts.letgo,
});

/** An exchange that another request's cancel must not touch. */
interface Bystander {
  readonly owner: string;
  readonly cancelSeq: number;
  readonly at: number;
}

/** The most bystanders that are remembered. */
const bystandersKept = 1024;

const leavesOthers: Rule<BothView> = rule({
  requirement: 'AGENT-03',
  listens: ['cancel_request', 'told.answered', 'inject_context', ...letGoTopics],
  start: () => new Map<string, Bystander>(),
  step(bystanders, event, view: BothView) {
    const request = cancelled(view, event);
    if (request !== undefined) {
      for (const other of view.requests.values()) {
        if (other === request || other.cancel !== undefined || other.ended !== undefined) continue;
        for (const { stream } of open(other))
          if (bystanders.size < bystandersKept)
            bystanders.set(stream, { owner: other.id, cancelSeq: event.seq, at: event.at });
      }
      bystanders.forEach(({ owner }, stream) => void (owner === request.id && bystanders.delete(stream)));
      return undefined;
    }
    // An injection is a reason to ask the model again.
    if (gatewayMessage(event).inject_context !== undefined) return void bystanders.clear();
    const answered = answeredExchange(view, event)?.stream;
    if (answered !== undefined) return bystanders.delete(answered) ? exercised(event) : undefined;
    const left = letGoExchange(view, event)?.stream ?? '';
    const bystander = bystanders.get(left);
    if (bystander === undefined) return undefined;
    bystanders.delete(left);
    // Later, the agent may have another reason.
    if (event.at - bystander.at > view.timeouts.letgo) return undefined;
    return violated(
      event,
      `expected the model request of ${bystander.owner} to go on, because another request was cancelled; the agent let go of it`,
      [bystander.cancelSeq],
    );
  },
});

/** The rules of this theme. */
export const cancellationRules: readonly Rule<BothView>[] = [noFurther, letsGo, leavesOthers];
