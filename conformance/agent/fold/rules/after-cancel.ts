/**
 * AGENT-01, right after a cancel. A model request that comes then may have been under way, but not where the agent had
 * something else in hand at the cancel: it was reading an answer of the model, or waiting for a tool.
 */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { momentOf, rule, unknowable, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Moment, Rule } from '../../../../src/kit/judge/index.ts';
import { named } from '../calls.ts';
import { begunExchange, isAbandoned, isOver, mayBeImpatient } from '../exchanges.ts';
import type { BothView, GatewayRequest, ModelExchange, ShownTool } from '../records.ts';
import { cancelled, open } from './cancellation.ts';

/** A cancelled request, and what the agent had in hand at its cancel. */
interface Interrupted {
  readonly request: GatewayRequest;
  readonly cancel: Moment;
  /** The exchange that the model was answering, alone. */
  readonly exchange: ModelExchange | undefined;
  /** Else the tools that ran or waited for an approval. */
  readonly tools: readonly ShownTool[];
  /** The first model request that began after the cancel. */
  further: (Moment & { readonly late: number }) | undefined;
}

/** The most cancelled requests that are remembered. */
const interruptedKept = 256;

/** When nothing more could come of an exchange; undefined: it is open. */
const overAt = (exchange: ModelExchange): number | undefined =>
  exchange.refused ? exchange.at : (exchange.letGo ?? exchange.answered)?.at;

/** The tools of the model's last answer that have no end. */
function toolsInHand({ tools, exchanges }: GatewayRequest): readonly ShownTool[] {
  const last = exchanges.at(-1);
  const calls = last?.answered?.calls ?? [];
  return [...tools.values()].filter(
    ({ seq, name, ended }) => ended === undefined && seq > (last?.seq ?? 0) && named(calls, name) > 0,
  );
}

/** What a CancelRequest interrupts; undefined where a model request may be under way for another reason. */
function interrupted(view: BothView, event: TraceEvent): Interrupted | undefined {
  const request = cancelled(view, event);
  if (request === undefined || request.cancel !== undefined) return undefined;
  const [exchange, other] = open(request);
  const since = event.at - view.timeouts.crossing;
  const isSettled = request.exchanges.every((one) => one === exchange || (overAt(one) ?? Infinity) < since);
  if (other !== undefined || !isSettled) return undefined;
  const tools = exchange === undefined ? toolsInHand(request) : [];
  if (exchange === undefined && tools.length === 0) return undefined;
  return { request, cancel: momentOf(event), exchange, tools, further: undefined };
}

/** Whether the agent itself broke off what it had in hand, and an injection was no reason for that. */
function wasStopped({ cancel, exchange, tools, further }: Interrupted, view: BothView): boolean {
  const since = cancel.at - view.timeouts.crossing;
  const isInjected = [...view.injections.values()].some(({ at }) => at > since && at <= (further?.at ?? 0));
  if (isInjected) return false;
  return exchange === undefined
    ? tools.every(({ ended }) => ended === undefined)
    : isOver(exchange) && isAbandoned(exchange);
}

const noneBegun: Rule<BothView> = rule({
  requirement: 'AGENT-01',
  listens: ['cancel_request', 'told.request'],
  start: () => new Map<string, Interrupted>(),
  step(all, event, view: BothView): undefined {
    const begun = interrupted(view, event);
    if (begun !== undefined && all.size < interruptedKept) all.set(begun.request.id, begun);
    const one = all.get(begunExchange(view, event)?.owner?.id ?? '');
    if (one !== undefined) one.further ??= { ...momentOf(event), late: view.late };
  },
  // What the agent did with its answer or its tool may be seen later than the model request.
  end: (all, view): Findings =>
    [...all.values()].flatMap((one) => {
      const { request, cancel, further, exchange } = one;
      if (further === undefined || request.ended?.how !== 'cancelled' || !wasStopped(one, view)) return [];
      if (exchange !== undefined && mayBeImpatient(exchange, further))
        return [unknowable(further, 'the machine was busy: the agent may have asked a silent model again')];
      const inHand = exchange === undefined ? 'waited for a tool' : "read the model's answer";
      const message = `expected no model request for ${request.id} after its CancelRequest, at which the agent ${inHand}; one came ${Math.round(further.at - cancel.at)} ms later`;
      return [violated(further, message, [cancel.seq])];
    }),
});

export const afterCancelRules: readonly Rule<BothView>[] = [noneBegun];
