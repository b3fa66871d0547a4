/** The rules about a client's report of a response: text, stop reason, errors, usage. */
import { stopReasons } from '../../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { reportedAnswerOf } from '../answer.ts';
import type { ReportedAnswer } from '../answer.ts';
import { isContradicted, isHonestlyTruncated, isSound } from '../exchange.ts';
import { contentRow, quoted, textComplaint } from '../reading.ts';
import type { AnsweredExchange } from '../reading.ts';
import { answeredTurn } from '../view.ts';
import type { TurnRequest, ClientView } from '../view.ts';

/**
 * Judges an answer. It returns the violation, '' when the requirement was met, or undefined when it was not exercised.
 */
type Demand = (last: AnsweredExchange, said: ReportedAnswer, ask: TurnRequest) => string | undefined;

/** "`stopReason` is one closed set" (llm.md). */
const closedSet: ReadonlySet<string> = new Set(stopReasons);

/** Stop reasons for which a dialect has its own word (llm.md, Wire facts). LLM-C04 judges the limit. */
const stopsWithWord: { readonly [dialect: string]: readonly string[] } = {
  anthropic: ['end_turn', 'stop_sequence', 'pause_turn', 'refusal', 'context_window', 'unknown'],
  'openai-chat': ['end_turn', 'content_filter', 'error', 'unknown'],
  'openai-responses': ['end_turn', 'content_filter'],
  ollama: ['end_turn', 'unknown'],
  lmstudio: ['end_turn', 'stop_sequence', 'context_window', 'unknown'],
  gemini: ['end_turn', 'content_filter', 'unknown'],
  bedrock: ['end_turn', 'stop_sequence', 'content_filter', 'context_window', 'unknown'],
  'gemini-interactions': ['end_turn', 'unknown'],
};

/** The dialects in which one response can have two stop reasons. */
const twoStops: readonly string[] = ['anthropic', 'openai-chat', 'gemini', 'gemini-interactions'];

/** Reports of a client that does not choose between two stop reasons. An error is the third. */
const undecided: readonly string[] = ['', 'unknown'];

const limitDemand: Demand = (last, { stop, failed }, { dialect }) => {
  const contradicted = twoStops.includes(dialect) && isContradicted(last);
  // Of two stop reasons a client may also make an error, or report an unknown reason.
  if (contradicted && (failed || undecided.includes(stop))) return undefined;
  if (!isHonestlyTruncated(last) && !contradicted) return undefined;
  return stop === 'max_tokens' ? '' : `expected stop_reason max_tokens; came ${stop || 'none'}`;
};

const stopDemand: Demand = (last, { stop, failed }, { dialect }) => {
  const { answered } = last;
  if (!isSound(last) || failed || stopsWithWord[dialect]?.includes(answered.stop) !== true) return undefined;
  if (!closedSet.has(stop)) return `expected a stop_reason of the closed set; came ${stop || 'none'}`;
  // OpenAI has no word for an error. vLLM, OpenRouter and Mistral say `error`.
  if (answered.stop === 'error' && stop === 'unknown') return '';
  return stop === answered.stop ? '' : `expected stop_reason ${answered.stop}; came ${stop}`;
};

/** A body that was not streamed has no terminal: it is whole, or it is broken. */
const endDemand: Demand = ({ answered, streamed }, { failed }, { about }) => {
  if (!streamed || answered.signal !== 'missing' || answered.failed) return undefined;
  // After a [DONE] without a finish reason, the client may close the response.
  const closed = about['done_alone'] === true && answered.outcome === 'aborted';
  if (answered.outcome !== 'complete' && answered.outcome !== 'reset' && !closed) return undefined;
  return failed ? '' : 'expected an error, because the stream ended without its terminal; came none';
};

const errorDemand: Demand = ({ answered }, { failed }) => {
  if (!answered.failed || answered.outcome === 'aborted') return undefined;
  return failed ? '' : 'expected an error, because the provider sent one in mid-stream; came none';
};

const checksumDemand: Demand = ({ answered }, { failed }) => {
  if (!answered.garbled) return undefined;
  return failed ? '' : 'expected an error, because a message had a wrong checksum; came none';
};

/** The usage of a stream of Bedrock's comes after its stop reason. */
const lateUsageDemand: Demand = (last, { usage, failed }, { dialect }) => {
  const told = last.answered.usage;
  if (dialect !== 'bedrock' || failed || !isSound(last)) return undefined;
  if (told === undefined || told.output === 0) return undefined;
  return usage === undefined || usage.output === 0
    ? `expected ${told.output} output tokens${last.streamed ? ', of the event after the stop reason' : ''}; came none`
    : '';
};

/** A client that does not stream gets an error instead of the text. */
const textDemand: Demand = ({ answered, streamed }, { text }) => {
  if (!streamed || !answered.failed || answered.text === '') return undefined;
  return text.includes(answered.text)
    ? ''
    : `expected the text so far, ${quoted(answered.text)}; came ${quoted(text)}`;
};

/** Anthropic and Gemini send their usage several times in one response. A client that failed need not know it. */
const usageDemand =
  (of: string): Demand =>
  (last, { usage, failed }, { dialect, exchanges }) => {
    const told = last.answered.usage;
    if (dialect !== of || failed || told === undefined || usage === undefined) return undefined;
    if (!exchanges.every(isSound)) return undefined;
    // A client that reports no counts adds nothing up.
    if (usage.output === 0 && told.output > 0) return undefined;
    const all = exchanges.flatMap(({ answered }) => answered?.usage ?? []);
    const sum = (name: 'input' | 'output' | 'cached'): number =>
      all.reduce((n, counts) => n + counts[name], 0);
    const outputs = [told.output, sum('output')];
    const inputs = [told.input, sum('input'), told.input + told.cached, sum('input') + sum('cached')];
    if (!outputs.includes(usage.output))
      return `expected ${[...new Set(outputs)].join(' or ')} output tokens, of the last response or of all; came ${usage.output}`;
    // Gemini does not say which tokens of a prompt were written to a cache.
    const isWithin = (input: number, cached: number): boolean =>
      of === 'gemini' && usage.input >= input && usage.input <= input + cached;
    const isOwn = isWithin(told.input, told.cached) || isWithin(sum('input'), sum('cached'));
    return inputs.includes(usage.input) || isOwn
      ? ''
      : `expected ${told.input} input tokens; came ${usage.input}`;
  };

/** A client may report the text of the last response, or of all responses. */
const readingDemand =
  (row: string): Demand =>
  (last, said, ask) =>
    contentRow(ask, 1) === row ? textComplaint(last, said, ask) : undefined;

const demands: readonly (readonly [row: string, demand: Demand])[] = [
  ['LLM-C04', limitDemand],
  ['LLM-C06', endDemand],
  ['LLM-C07', errorDemand],
  ['LLM-C11', readingDemand('LLM-C11')],
  ['LLM-C12', readingDemand('LLM-C12')],
  ['LLM-C13', usageDemand('anthropic')],
  ['LLM-C18', stopDemand],
  ['LLM-C21', textDemand],
  ['LLM-C30', readingDemand('LLM-C30')],
  ['LLM-C40', usageDemand('gemini')],
  ['LLM-C50', checksumDemand],
  ['LLM-C51', lateUsageDemand],
];

function judge(demand: Demand, event: TraceEvent, view: ClientView): Findings {
  const ask = answeredTurn(view, event);
  const last = ask?.exchanges.at(-1);
  // When there are more exchanges than are kept, the last response is unknown.
  if (ask === undefined || last?.answered === undefined || ask.requests > ask.exchanges.length)
    return undefined;
  const complaint = demand({ ...last, answered: last.answered }, reportedAnswerOf(event), ask);
  if (complaint === undefined) return undefined;
  return complaint === '' ? exercised(event) : violated(event, complaint, [last.seq]);
}

export const resultRules: readonly Rule<ClientView>[] = demands.map(([row, demand]) =>
  rule({
    requirement: row,
    listens: ['answer'],
    start: () => null,
    step: (_, event, view: ClientView) => judge(demand, event, view),
  }),
);
