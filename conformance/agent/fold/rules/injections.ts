/** Rules about injections in the model's requests: AGENT-06 to AGENT-08. */
import { exercised, rule, unknowable, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { begunExchange, contentsOf, standsIn } from '../exchanges.ts';
import type { BothView, GivenInjection, ModelExchange } from '../records.ts';
import { agentMessage } from '../view.ts';

/** The fewest characters by which a content can be told from other text. */
const tellingLength = 8;

/** The injections whose content can be told from all other contents of the run. */
export function tellingInjections({ injections, requests }: BothView): readonly GivenInjection[] {
  const all = [...injections.values()];
  return all.filter(
    (one) =>
      one.content.length >= tellingLength &&
      !all.some((other) => other !== one && other.content.includes(one.content)) &&
      ![...requests.values()].some(({ content }) => content.includes(one.content)),
  );
}

/** A rule about each injection with an ack, at each model request. */
const onRequest = (
  requirement: string,
  judge: (injection: GivenInjection, exchange: ModelExchange, event: TraceEvent, view: BothView) => Findings,
): Rule<BothView> =>
  rule({
    requirement,
    listens: ['told.request'],
    start: () => null,
    step(_, event, view: BothView) {
      const exchange = begunExchange(view, event);
      if (exchange === undefined) return undefined;
      return tellingInjections(view).flatMap((one) => judge(one, exchange, event, view) ?? []);
    },
  });

const once = onRequest('AGENT-06', (injection, exchange, event) => {
  const times = standsIn(injection, exchange);
  if (injection.ack?.accepted !== true || times === 0) return undefined;
  return times === 1
    ? exercised(event)
    : violated(
        event,
        `expected injection ${injection.id} once in the model request; it stands there ${times} times`,
        [injection.seq],
      );
});

const stays = onRequest('AGENT-07', (injection, exchange, event, view) => {
  const { owner } = exchange;
  if (owner === undefined || !injection.threads.has(owner.thread)) return undefined;
  if (standsIn(injection, exchange) > 0) return exercised(event);
  if (isShortened(view, owner.thread, exchange)) return undefined;
  return violated(
    event,
    `expected injection ${injection.id} in the model request, as in an earlier one of its thread; it is not there`,
    [injection.seq],
  );
});

/** Whether a content of an earlier request of the thread, which the model was asked, is no longer in the conversation. */
function isShortened(view: BothView, thread: string, exchange: ModelExchange): boolean {
  const contents = contentsOf(exchange);
  return [...view.requests.values()].some(
    (request) =>
      request.thread === thread &&
      request.exchanges.length > 0 &&
      !contents.some((content) => content.includes(request.content)),
  );
}

const rejected = onRequest('AGENT-08', (injection, exchange, event) => {
  if (injection.ack?.accepted !== false) return undefined;
  return standsIn(injection, exchange) === 0
    ? exercised(event)
    : violated(
        event,
        `expected the rejected injection ${injection.id} in no model request; it stands in this one`,
        [injection.ack.seq],
      );
});

/** No agent has to reject an injection. One that accepts so many characters rejects none of those that the kit sends. */
const enormous = 1_000_000;

/** Says of a row about rejected injections that this agent cannot show it. */
const neverRejects = (requirement: string): Rule<BothView> =>
  rule({
    requirement,
    listens: ['injection_ack'],
    start: () => null,
    step(_, event, view: BothView): Findings {
      const { injection_ack: ack } = agentMessage(event);
      const size = view.injections.get(ack?.injection_id ?? '')?.content.length ?? 0;
      return ack?.accepted === true && size >= enormous
        ? unknowable(event, `the agent rejects no injection: it accepted one of ${size} characters`)
        : undefined;
    },
  });

export const injectionRules: readonly Rule<BothView>[] = [
  once,
  stays,
  rejected,
  neverRejects('AGENT-08'),
  neverRejects('FOLD-A41'),
];
