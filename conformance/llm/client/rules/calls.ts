/** The rules about the calls that a client executes and keeps. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { same, saidBy } from '../answer.ts';
import type { ReportedAnswer } from '../answer.ts';
import { hugeIntegers, isSound, isTruncated, objectOf } from '../exchange.ts';
import type { Exchange, ToldCall } from '../exchange.ts';
import { charges, forbids } from '../executions.ts';
import { asked } from '../view.ts';
import type { Ask, ClientView } from '../view.ts';

/** A condition on a call and its exchange. */
type Sight = (call: ToldCall, exchange: Exchange) => boolean;

/** Requirements that forbid executions, each with the calls that exercise it. */
const tempted: { readonly [row: string]: Sight } = {
  'LLM-C01': forbidden('LLM-C01'),
  'LLM-C02': forbidden('LLM-C02'),
  'LLM-C05': forbidden('LLM-C05'),
  'LLM-C06': forbidden('LLM-C06'),
  'LLM-C07': forbidden('LLM-C07'),
  'LLM-C11': () => false,
  'LLM-C12': () => false,
  'LLM-C16': forbidden('LLM-C16'),
  'LLM-C17': () => false,
  'LLM-C20': (call) => objectOf(call) !== undefined && hugeIntegers(call.arguments).length > 0,
};

function forbidden(row: string): Sight {
  return (call, { answered }) => answered !== undefined && forbids(call, answered) === row;
}

const executionRule = (row: string, sight: Sight): Rule<ClientView> =>
  rule({
    requirement: row,
    listens: ['answer'],
    start: () => null,
    step(_, event, view: ClientView) {
      const ask = asked(view, event);
      if (ask === undefined) return undefined;
      const found = charges(ask, saidBy(event)).filter((charge) => charge.row === row);
      if (found.length > 0) return found.map(({ message }) => violated(event, message, [ask.seq]));
      const tested = ask.exchanges.some((one) => one.answered?.calls.some((call) => sight(call, one)));
      return tested ? exercised(event) : undefined;
    },
  });

/** The calls of a response that are complete and whose arguments are an object. */
const runnable = ({ answered }: Exchange): readonly ToldCall[] =>
  (answered?.calls ?? []).filter((call) => call.complete && objectOf(call) !== undefined);

/** The first call that the testee neither reports nor executes in order. Undefined when all calls are kept. */
function missing(calls: readonly ToldCall[], said: ReportedAnswer): ToldCall | undefined {
  const inOrder = (reported: ReportedAnswer['calls']): ToldCall | undefined => {
    let at = 0;
    return calls.find((call) => {
      const found = reported.findIndex(
        (one, i) => i >= at && one.name === call.name && same(one.input, objectOf(call)),
      );
      at = found + 1;
      return found < 0;
    });
  };
  const unreported = inOrder(said.calls);
  return unreported === undefined ? undefined : inOrder(said.executed) && unreported;
}

/** Requirements to keep calls, each with the exchanges that exercise it. */
const keepers: { readonly [row: string]: (exchange: Exchange, ask: Ask) => boolean } = {
  'LLM-C03': isTruncated,
  'LLM-C17': (exchange, { about }) =>
    isWhole(exchange) && about['noise'] !== true && runnable(exchange).length > 1,
  'LLM-C11': (exchange, { about }) =>
    isWhole(exchange) && about['noise'] !== true && runnable(exchange).length === 1,
  'LLM-C12': (exchange, { about }) => isWhole(exchange) && about['noise'] === true,
};

/** Whether all calls must run, and no integer allows the client to refuse them. */
const isWhole = (exchange: Exchange): boolean =>
  isSound(exchange) &&
  exchange.answered?.stop === 'tool_use' &&
  exchange.answered.calls.every(
    (call) => call.complete && objectOf(call) !== undefined && hugeIntegers(call.arguments).length === 0,
  );

function kept(event: TraceEvent, view: ClientView, wants: (typeof keepers)[string]): Findings {
  const ask = asked(view, event);
  const exchanges = ask?.exchanges.filter((one) => wants(one, ask) && runnable(one).length > 0) ?? [];
  if (ask === undefined || exchanges.length === 0) return undefined;
  const lost = missing(exchanges.flatMap(runnable), saidBy(event));
  if (lost === undefined) return exercised(event);
  const message = `expected the call ${lost.name} ${lost.arguments.slice(0, 120)} to be kept, in order; it is neither in tool_calls nor in executed`;
  return violated(event, message, [ask.seq]);
}

const keepingRule = (row: string): Rule<ClientView> =>
  rule({
    requirement: row,
    listens: ['answer'],
    start: () => null,
    step: (_, event, view: ClientView) => kept(event, view, keepers[row] ?? (() => false)),
  });

/** The rules of this theme. */
export const callRules: readonly Rule<ClientView>[] = [
  ...Object.entries(tempted).map(([row, sight]) => executionRule(row, sight)),
  ...Object.keys(keepers).map(keepingRule),
];
