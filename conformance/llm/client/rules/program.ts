/**
 * The rules about executions by a whole program. Its next requests show them: a call with a result that is not an error
 * was run, and a call without a result, or with an error, was not.
 */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { forbiddenReasons, forbiddingRow } from '../executions.ts';
import type { AnswerAccount, Exchange, GeneratedCall } from '../exchange.ts';
import { requestOf } from '../requests.ts';
import { keyOf, streamOf, providerNote } from '../view.ts';
import type { ClientView } from '../view.ts';

/** The most judged calls that are remembered. */
const judgedKept = 1024;

/** A call that must not run, and its exchange. */
interface Forbidden {
  readonly call: GeneratedCall;
  readonly exchange: Exchange;
}

function forbiddenBy(row: string, exchanges: readonly Exchange[]): readonly Forbidden[] {
  return exchanges.flatMap((exchange) => {
    const answered: AnswerAccount | undefined = exchange.answered;
    if (answered === undefined) return [];
    return answered.calls
      .filter((call) => forbiddingRow(call, answered) === row)
      .map((call): Forbidden => ({ call, exchange }));
  });
}

/**
 * The results in a request: call ids, and whether the result is an error. Undefined when the request cannot be read.
 */
function resultsOf(event: TraceEvent, view: ClientView): ReadonlyMap<string, boolean> | undefined {
  const detail = providerNote(event);
  if (detail === undefined) return undefined;
  const body = view.bodies.get(streamOf(keyOf(detail)));
  if (body === undefined || typeof detail['dialect'] !== 'string') return undefined;
  const request = requestOf(detail['dialect'], body);
  if (!request.ok) return undefined;
  const results = request.value.messages.flatMap(({ toolResults = [] }) => toolResults);
  return new Map(results.map(({ id, isError }) => [id, isError]));
}

function judged(row: string, seen: Set<string>, event: TraceEvent, view: ClientView): Findings {
  const { ask } = view;
  if (ask?.program !== true) return undefined;
  const results = resultsOf(event, view);
  if (results === undefined) return undefined;
  const findings = forbiddenBy(row, ask.exchanges)
    .filter(({ call }) => !seen.has(call.id))
    .map(({ call, exchange }) => {
      if (seen.size < judgedKept) seen.add(call.id);
      if (results.get(call.id) !== false) return exercised(event);
      const message = `expected ${call.name} not to be executed, because ${forbiddenReasons[row] ?? ''} (${call.arguments.slice(0, 120)}); the next request contains its result`;
      return violated(event, message, [exchange.seq]);
    });
  return findings.length === 0 ? undefined : findings;
}

/** A rule for each requirement that forbids a call to run. */
export const programRules: readonly Rule<ClientView>[] = Object.keys(forbiddenReasons).map((row) =>
  rule({
    requirement: row,
    listens: ['told.request'],
    start: () => new Set<string>(),
    step: (seen, event, view: ClientView) => judged(row, seen, event, view),
  }),
);
