/** Rules about failures of the model: AGENT-20, and LLM-C09 for a whole agent. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { equalJson } from '../../../llm/client/answer.ts';
import { named } from '../calls.ts';
import { begunExchange, hasFailed } from '../exchanges.ts';
import type { BothView, GatewayRequest, ModelExchange } from '../records.ts';
import { endTopics } from '../topics.ts';
import { endingRequest } from '../view.ts';

/** The text that a failed model request had brought to the agent. A provider that refuses has sent none. */
const textBefore = (exchange: ModelExchange | undefined): string =>
  exchange?.streamed === true && hasFailed(exchange) ? (exchange.answered?.text.trim() ?? '') : '';

const showsBeginning: Rule<BothView> = rule({
  requirement: 'AGENT-20',
  listens: ['response.done', 'response.error'],
  start: () => null,
  step(_, event, view: BothView) {
    const { request } = endingRequest(view, event) ?? {};
    const last = request?.exchanges.at(-1);
    const text = textBefore(last);
    if (request === undefined || last === undefined || text === '') return undefined;
    if (request.text.includes(text)) return exercised(event);
    // What was on its way when a connection broke may be lost.
    if (last.answered?.outcome === 'reset') return undefined;
    return violated(
      event,
      `expected the text that came before the failure, ${JSON.stringify(text.slice(0, 60))}, among the texts of the request; it is not`,
      [last.seq],
    );
  },
});

/** The most attempts at one model request: more than twice those of the providers' own libraries. */
const attemptsAtMost = 10;
/** Statuses of the range of final ones that may be retried. */
const passing: ReadonlySet<number> = new Set([408, 409, 429]);
const isFinal = (status = 0): boolean => status >= 400 && status < 500 && !passing.has(status);
/** Enough of a text to know that it was shown. */
const beginning = 16;

/** Why a model request must not be repeated; undefined: it may be. */
function reasonAgainst({ text, exchanges, tools }: GatewayRequest, last: ModelExchange): string | undefined {
  if (last.refused && isFinal(last.status)) return `after status ${last.status}`;
  const shown = textBefore(last).slice(0, beginning);
  if (shown !== '' && text.includes(shown)) return 'after a part of its answer was shown';
  const calls = last.answered?.calls ?? [];
  if (
    [...tools.values()].some(
      ({ ran, name }) => ran !== undefined && ran.seq > last.seq && named(calls, name) > 0,
    )
  )
    return 'after a call of its answer has run';
  const attempts = exchanges.filter((one) => equalJson(one.body, last.body)).length;
  return attempts >= attemptsAtMost ? `after ${attempts} attempts` : undefined;
}

const bounded: Rule<BothView> = rule({
  requirement: 'LLM-C09',
  listens: ['told.request', ...endTopics],
  start: () => null,
  step(_, event, view: BothView): Findings {
    const { request } = endingRequest(view, event) ?? {};
    if (request !== undefined) return request.exchanges.some(hasFailed) ? exercised(event) : undefined;
    const { owner, body } = begunExchange(view, event) ?? {};
    const last = owner?.exchanges.at(-1);
    if (owner === undefined || last === undefined) return undefined;
    if (!hasFailed(last) || !equalJson(body, last.body)) return undefined;
    const reason = reasonAgainst(owner, last);
    return reason === undefined
      ? undefined
      : violated(event, `expected no further attempt at this model request ${reason}; one came`, [last.seq]);
  },
});

export const failureRules: readonly Rule<BothView>[] = [showsBeginning, bounded];
