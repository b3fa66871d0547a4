/** Rules about the context window of the model: AGENT-13 and AGENT-14. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { bodySize, certainlyOver, hasMoreRoom, isRepeat, lengthOf, textOf } from '../size.ts';
import { endTopics } from '../topics.ts';
import { askedExchange, begunExchange } from '../exchanges.ts';
import type { BothView, GatewayRequest, ModelExchange } from '../records.ts';
import { requestOfResponse } from '../view.ts';

/** The request whose first end this event is. */
function endedRequest(view: BothView, event: TraceEvent): GatewayRequest | undefined {
  const request = requestOfResponse(view, event);
  return request?.ended === undefined ? request : undefined;
}

const fits = rule({
  requirement: 'AGENT-13',
  listens: ['told.request', ...endTopics],
  start: () => null,
  step(_, event, view: BothView): Findings {
    if (view.room === 0) return undefined;
    const over = certainlyOver(view.room);
    const asked = askedExchange(view, event);
    if (asked === undefined) {
      const ended = endedRequest(view, event);
      return ended !== undefined && lengthOf(view, ended) >= over ? exercised(event) : undefined;
    }
    const characters = textOf(asked);
    if (characters < over) return undefined;
    return violated(
      event,
      `expected a model request within the window, with room for ${view.room} tokens; came one with ${characters} characters of text, which are more tokens than that`,
      asked.owner === undefined ? [] : [asked.owner.seq],
    );
  },
});

/** The most further model requests after an overflow, until one is answered (TOK-45). */
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
    if (owner.exchanges.slice(-1 - mostAgain).filter(({ overflowed }) => overflowed).length > mostAgain)
      return violated(
        event,
        `expected at most ${mostAgain} further model requests after an overflow; came another one`,
        [before.seq],
      );
    if (hasMoreRoom(exchange, before) || isRepeat(exchange, before) || grewBy(view, before)) return undefined;
    return violated(
      event,
      `expected a smaller model request, or one for more room, after the model refused one of ${bodySize(before)} characters as too long; came one of ${bodySize(exchange)}`,
      [before.seq],
    );
  },
});

export const budgetRules: readonly Rule<BothView>[] = [fits, shrinks];
