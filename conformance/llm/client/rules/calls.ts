/** The rules about the calls that a client executes and keeps. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { reportedAnswerOf } from '../answer.ts';
import { argumentsObject, hugeIntegersOf, isHonestlyTruncated, showsArguments } from '../exchange.ts';
import type { Exchange, GeneratedCall } from '../exchange.ts';
import { breakRow, executionViolations, visibleRow } from '../executions.ts';
import { contentRow, contentRows, firstLostCall, isWhole, runnableCalls } from '../reading.ts';
import { answeredTurn } from '../view.ts';
import type { TurnRequest, ClientView } from '../view.ts';

type CallCondition = (call: GeneratedCall, exchange: Exchange, ask: TurnRequest) => boolean;

type ExchangeCondition = (exchange: Exchange, ask: TurnRequest) => boolean;

/** Requirements that forbid executions, each with the calls that exercise it. */
const exercisingCalls: { readonly [row: string]: CallCondition } = {
  'LLM-C01': forbiddenBy('LLM-C01'),
  'LLM-C02': forbiddenBy('LLM-C02'),
  'LLM-C05': forbiddenBy('LLM-C05'),
  'LLM-C06': brokenBy('LLM-C06'),
  'LLM-C07': brokenBy('LLM-C07'),
  'LLM-C50': brokenBy('LLM-C50'),
  ...Object.fromEntries(contentRows.map((row) => [row, () => false])),
  'LLM-C16': forbiddenBy('LLM-C16'),
  'LLM-C29': forbiddenBy('LLM-C29'),
  'LLM-C41': forbiddenBy('LLM-C41'),
  'LLM-C20': (call, exchange, { dialect }) =>
    showsArguments(exchange, dialect) &&
    argumentsObject(call) !== undefined &&
    hugeIntegersOf(call).length > 0,
};

function forbiddenBy(row: string): CallCondition {
  return (call, exchange, ask) => visibleRow(ask, exchange, call) === row;
}

function brokenBy(row: string): CallCondition {
  return (_, { answered, streamed }) => streamed && answered !== undefined && breakRow(answered) === row;
}

const executionRule = (row: string, sight: CallCondition): Rule<ClientView> =>
  rule({
    requirement: row,
    listens: ['answer'],
    start: () => null,
    step(_, event, view: ClientView) {
      const ask = answeredTurn(view, event);
      if (ask === undefined) return undefined;
      const found = executionViolations(ask, reportedAnswerOf(event)).filter((charge) => charge.row === row);
      if (found.length > 0) return found.map(({ message }) => violated(event, message, [ask.seq]));
      const tested = ask.exchanges.some((one) => one.answered?.calls.some((call) => sight(call, one, ask)));
      return tested ? exercised(event) : undefined;
    },
  });

/** Requirements to keep calls, each with the exchanges that exercise it. */
const exercisingExchanges: { readonly [row: string]: ExchangeCondition } = {
  'LLM-C03': isHonestlyTruncated,
  ...Object.fromEntries(
    contentRows.map((row) => [
      row,
      (exchange: Exchange, ask: TurnRequest) =>
        isWhole(exchange) && contentRow(ask, runnableCalls(exchange, ask).length) === row,
    ]),
  ),
};

function judgeKept(event: TraceEvent, view: ClientView, wants: ExchangeCondition): Findings {
  const ask = answeredTurn(view, event);
  const exchanges =
    ask?.exchanges.filter((one) => wants(one, ask) && runnableCalls(one, ask).length > 0) ?? [];
  if (ask === undefined || exchanges.length === 0) return undefined;
  const owed = exchanges.flatMap((exchange) => runnableCalls(exchange, ask));
  const lost = firstLostCall(owed, reportedAnswerOf(event));
  if (lost === undefined) return exercised(event);
  const message = `expected the call ${lost.name} ${lost.arguments.slice(0, 120)} to be kept, in order; it is neither in tool_calls nor in executed`;
  return violated(event, message, [ask.seq]);
}

const keepingRule = (row: string, wants: ExchangeCondition): Rule<ClientView> =>
  rule({
    requirement: row,
    listens: ['answer'],
    start: () => null,
    step: (_, event, view: ClientView) => judgeKept(event, view, wants),
  });

export const callRules: readonly Rule<ClientView>[] = [
  ...Object.entries(exercisingCalls).map(([row, sight]) => executionRule(row, sight)),
  ...Object.entries(exercisingExchanges).map(([row, wants]) => keepingRule(row, wants)),
];
