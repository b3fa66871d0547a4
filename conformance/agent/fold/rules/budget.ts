/** Rules about the context window of the model: AGENT-13 and AGENT-14. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { bodySize, certainlyOver, isSmaller, textOf } from '../size.ts';
import { endOf } from '../responses.ts';
import { endTopics } from '../topics.ts';
import { begunExchange } from '../exchanges.ts';
import type { BothView, GatewayRequest, ModelExchange } from '../records.ts';
import { requestOfResponse, responseOf } from '../view.ts';

/** The characters that the gateway has given to a thread. */
const givenTo = ({ requests }: BothView, { thread }: GatewayRequest): number =>
  [...requests.values()].reduce((sum, one) => sum + (one.thread === thread ? one.content.length : 0), 0);

/** The request whose first end this event is. */
function endedRequest(view: BothView, event: TraceEvent): GatewayRequest | undefined {
  const request = requestOfResponse(view, event);
  return endOf(responseOf(event)) === undefined || request?.ended !== undefined ? undefined : request;
}

const fits = rule({
  requirement: 'AGENT-13',
  listens: ['told.request', ...endTopics],
  start: () => null,
  step(_, event, view: BothView): Findings {
    if (view.room === 0) return undefined;
    const over = certainlyOver(view.room);
    const exchange = begunExchange(view, event);
    if (exchange?.owner === undefined) {
      const ended = endedRequest(view, event);
      return ended !== undefined && givenTo(view, ended) >= over ? exercised(event) : undefined;
    }
    const characters = textOf(exchange);
    if (characters < over) return undefined;
    return violated(
      event,
      `expected a model request within the window, with room for ${view.room} tokens; came one with ${characters} characters of text, which are more tokens than that`,
      [exchange.owner.seq],
    );
  },
});

/** The most further requests of a request of the gateway after overflows (TOK-45). */
const mostAgain = 2;

/** Whether an injection came after an exchange had begun: then the next request may be larger. */
const grewBy = ({ injections }: BothView, { seq }: ModelExchange): boolean =>
  [...injections.values()].some((injection) => injection.seq > seq);

const shrinks = rule({
  requirement: 'AGENT-14',
  listens: ['told.request', ...endTopics],
  start: () => null,
  step(_, event, view: BothView): Findings {
    const exchange = begunExchange(view, event);
    if (exchange === undefined) {
      const ended = endedRequest(view, event);
      return ended?.exchanges.some(({ overflowed }) => overflowed) === true ? exercised(event) : undefined;
    }
    const { owner } = exchange;
    const before = owner?.exchanges.at(-1);
    if (owner === undefined || before?.overflowed !== true) return undefined;
    if (owner.exchanges.filter(({ overflowed }) => overflowed).length > mostAgain)
      return violated(
        event,
        `expected at most ${mostAgain} further model requests after an overflow; came another one`,
        [before.seq],
      );
    if (isSmaller(exchange, before) || grewBy(view, before)) return undefined;
    return violated(
      event,
      `expected a smaller model request after the model refused one of ${bodySize(before)} characters as too long; came one of ${bodySize(exchange)}`,
      [before.seq],
    );
  },
});

/** The rules of this theme. */
export const budgetRules: readonly Rule<BothView>[] = [fits, shrinks];
