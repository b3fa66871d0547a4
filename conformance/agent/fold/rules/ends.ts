/** Rules about the end of a request: AGENT-10 to AGENT-12. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { Counts } from '../../../llm/client/exchange.ts';
import { hasFailed, isAbandoned } from '../exchanges.ts';
import type { BothView, GatewayRequest, ModelExchange, RequestEnd } from '../records.ts';
import { endTopics } from '../topics.ts';
import { endingRequest } from '../view.ts';

/** A rule about the first end of each request. */
const onEnd = (
  requirement: string,
  judge: (request: GatewayRequest, end: RequestEnd, event: TraceEvent) => Findings,
): Rule<BothView> =>
  rule({
    requirement,
    listens: endTopics,
    start: () => null,
    step(_, event, view: BothView) {
      const ending = endingRequest(view, event);
      return ending && judge(ending.request, ending.end, event);
    },
  });

const saysSo = onEnd('AGENT-10', (request, { how, text }, event) => {
  const last = request.exchanges.at(-1);
  if (last === undefined || !hasFailed(last) || how === 'cancelled') return undefined;
  if (how === 'error' && text.trim() !== '') return exercised(event);
  // An agent may tell of the failure in a text of its own.
  if (how === 'done' && (request.lastText?.at ?? -1) >= (last.answered ?? last).at) return exercised(event);
  return violated(event, `expected an error with a text, because the model failed; came ${how} without one`, [
    last.seq,
  ]);
});

/** The exchanges that the model answered to the end. */
const answeredTo = ({ exchanges }: GatewayRequest): readonly NonNullable<ModelExchange['answered']>[] =>
  exchanges.flatMap((one) =>
    one.answered === undefined || hasFailed(one) || isAbandoned(one) ? [] : [one.answered],
  );

/** Whether a usage event has the counts of an answer. Cached tokens may be part of the input, or not. */
const sameCounts = (shown: Counts, { input, output, cached }: Counts): boolean =>
  shown.output === output &&
  (shown.input === input || shown.input === input + cached || shown.input + shown.cached === input);

/** Takes the counts of an answer that a usage event fits out of the list. Returns whether there were any. */
function takeCounts(answers: Counts[], shown: Counts): boolean {
  const at = answers.findIndex((counts) => sameCounts(shown, counts));
  if (at >= 0) answers.splice(at, 1);
  return at >= 0;
}

/** The counts that the model gave for some exchanges. */
const countsIn = (exchanges: readonly ModelExchange[]): Counts[] =>
  exchanges.flatMap(({ answered }) => answered?.usage ?? []);

const wordsOf = (all: readonly Counts[]): string =>
  all.map(({ input, output }) => `${input} in, ${output} out`).join('; ');

const countsTrue = onEnd('AGENT-11', ({ exchanges, usages, hasStrays }, { how }, event) => {
  const said = countsIn(exchanges);
  if (how !== 'done' || usages.length === 0 || said.length === 0) return undefined;
  // What an agent was told of an answer that did not come to its end, it may count.
  const parts = exchanges.filter((one) => hasFailed(one) || isAbandoned(one));
  const owed = countsIn(exchanges.filter((one) => !parts.includes(one)));
  const mayCount = countsIn(parts);
  const odd = usages.filter((shown) => !takeCounts(owed, shown) && !takeCounts(mayCount, shown));
  if (odd.length === 0 && owed.length === 0) return exercised(event);
  if (odd.length > 0 && (hasStrays || odd.length <= parts.length)) return undefined;
  const missing = odd.length === 0 ? `; none is for ${wordsOf(owed)}` : '';
  return violated(
    event,
    `expected one usage event for each answer (${wordsOf(said)}); came ${wordsOf(usages)}${missing}`,
  );
});

const showsTexts = onEnd('AGENT-12', (request, { how }, event) => {
  if (how !== 'done') return undefined;
  const texts = answeredTo(request)
    .filter(({ stop, signal }) => signal === 'honest' && stop !== 'max_tokens')
    .map(({ text }) => text.trim())
    .filter((text) => text !== '');
  if (texts.length === 0) return undefined;
  let from = 0;
  for (const text of texts) {
    const at = request.text.indexOf(text, from);
    if (at < 0)
      return violated(
        event,
        `expected the model's text ${JSON.stringify(text.slice(0, 60))} among the texts of the request; came ${JSON.stringify(request.text.slice(0, 120))}`,
      );
    from = at + text.length;
  }
  return exercised(event);
});

export const endRules: readonly Rule<BothView>[] = [saysSo, countsTrue, showsTexts];
