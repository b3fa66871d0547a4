/** The rules about the calls that a client executes and keeps. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { equalJson, reportedAnswerOf } from '../answer.ts';
import type { ReportedAnswer } from '../answer.ts';
import { argumentsObject, hugeIntegers, isHonestlyTruncated, isSound, showsArguments } from '../exchange.ts';
import type { Exchange, GeneratedCall } from '../exchange.ts';
import { breakRow, executionViolations, visibleRow } from '../executions.ts';
import { answeredTurn } from '../view.ts';
import type { TurnRequest, ClientView } from '../view.ts';

/** A condition on a call and its exchange. */
type CallCondition = (call: GeneratedCall, exchange: Exchange, ask: TurnRequest) => boolean;

/** A condition on an exchange of a turn. */
type ExchangeCondition = (exchange: Exchange, ask: TurnRequest) => boolean;

/** Requirements that forbid executions, each with the calls that exercise it. */
const exercisingCalls: { readonly [row: string]: CallCondition } = {
  'LLM-C01': forbiddenBy('LLM-C01'),
  'LLM-C02': forbiddenBy('LLM-C02'),
  'LLM-C05': forbiddenBy('LLM-C05'),
  'LLM-C06': brokenBy('LLM-C06'),
  'LLM-C07': brokenBy('LLM-C07'),
  'LLM-C11': () => false,
  'LLM-C12': () => false,
  'LLM-C16': forbiddenBy('LLM-C16'),
  'LLM-C17': () => false,
  'LLM-C29': forbiddenBy('LLM-C29'),
  'LLM-C20': (call, exchange, { dialect }) =>
    showsArguments(exchange, dialect) &&
    argumentsObject(call) !== undefined &&
    hugeIntegers(call.arguments).length > 0,
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

/**
 * The calls of a response that are complete and whose arguments are an object. Anthropic sends a call without parameters
 * as empty text: when the limit ends the response after it, no client can tell it from a call that was cut. In a whole body of
 * Anthropic's, that is so for every last call: its arguments are an object in any case.
 */
const runnableCalls = (exchange: Exchange, { dialect }: TurnRequest): readonly GeneratedCall[] => {
  const calls = exchange.answered?.calls ?? [];
  const last = dialect === 'anthropic' && isHonestlyTruncated(exchange) ? calls.at(-1) : undefined;
  return calls.filter((call) => {
    const input = call.complete ? argumentsObject(call) : undefined;
    return input !== undefined && (call !== last || (exchange.streamed && Object.keys(input).length > 0));
  });
};

/** The first call that the testee neither reports nor executes in order. Undefined when all calls are kept. */
function firstLostCall(calls: readonly GeneratedCall[], said: ReportedAnswer): GeneratedCall | undefined {
  const inOrder = (reported: ReportedAnswer['calls']): GeneratedCall | undefined => {
    let at = 0;
    return calls.find((call) => {
      const found = reported.findIndex(
        (one, i) => i >= at && one.name === call.name && equalJson(one.input, argumentsObject(call)),
      );
      at = found + 1;
      return found < 0;
    });
  };
  const unreported = inOrder(said.calls);
  return unreported === undefined ? undefined : inOrder(said.executed) && unreported;
}

/** Requirements to keep calls, each with the exchanges that exercise it. */
const exercisingExchanges: { readonly [row: string]: ExchangeCondition } = {
  'LLM-C03': isHonestlyTruncated,
  'LLM-C17': (exchange, ask) =>
    isWhole(exchange) && ask.about['noise'] !== true && runnableCalls(exchange, ask).length > 1,
  'LLM-C11': (exchange, ask) =>
    isWhole(exchange) && ask.about['noise'] !== true && runnableCalls(exchange, ask).length === 1,
  'LLM-C12': (exchange, { about }) => isWhole(exchange) && about['noise'] === true,
};

/** Whether all calls must run, and no integer allows the client to refuse them. */
const isWhole = (exchange: Exchange): boolean =>
  isSound(exchange) &&
  exchange.answered?.stop === 'tool_use' &&
  exchange.answered.calls.every(
    (call) =>
      call.complete && argumentsObject(call) !== undefined && hugeIntegers(call.arguments).length === 0,
  );

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

/** The rules of this theme. */
export const callRules: readonly Rule<ClientView>[] = [
  ...Object.entries(exercisingCalls).map(([row, sight]) => executionRule(row, sight)),
  ...Object.entries(exercisingExchanges).map(([row, wants]) => keepingRule(row, wants)),
];
