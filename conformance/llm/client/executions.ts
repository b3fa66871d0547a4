/**
 * Compares executions with the provider's calls. A call may run if it is complete and its arguments are an object, also
 * before its response has ended. Any other execution violates the requirement that forbids it.
 */
import { unsafeIntegers } from '../../../src/kit/testee/index.ts';
import { contentRow } from './content-row.ts';
import type { TurnRequest } from './turn-request.ts';
import { equalJson } from './answer.ts';
import type { ReportedAnswer, ReportedCall } from './answer.ts';
import {
  argumentsObject,
  hugeIntegersOf,
  inputOf,
  parsedJson,
  showsArguments,
  streamsArguments,
} from './exchange.ts';
import type { AnswerAccount, Exchange, GeneratedCall } from './exchange.ts';

/** A violation by an execution: the call must not run, or not with this input. */
export interface ExecutionViolation {
  readonly row: string;
  readonly message: string;
}

interface MatchableCall extends GeneratedCall {
  readonly response: AnswerAccount;
  /** The requirement about a call that the wire shows to be incomplete. Undefined when it does not show it. */
  readonly open: string | undefined;
  /** Whether the wire shows the text of its arguments. */
  readonly shown: boolean;
  /** Whether the wire shows another input than the model wrote, so that any input may run. */
  readonly hidden: boolean;
  taken: boolean;
}

/** The requirement that forbids to run a call, as far as the client can see it. Undefined when the call may run. */
export function visibleRow(ask: TurnRequest, exchange: Exchange, call: GeneratedCall): string | undefined {
  if (exchange.answered === undefined) return undefined;
  const row = forbiddingRow(call, exchange.answered, openRow(ask, exchange));
  const isHidden = row !== undefined && row !== cutByLimit;
  return isHidden && !showsArguments(exchange, ask.dialect) ? undefined : row;
}

/** The requirement about calls of Gemini's that no part ended, although the stop signal says tool use. */
const openByPaths = 'LLM-C41';

/** The requirement about a cut call that the client sees to be open. Undefined when it does not see it. */
export function openRow({ about }: TurnRequest, exchange: Exchange): string | undefined {
  if (!exchange.streamed) return undefined;
  if (streamsArguments(exchange)) return openByPaths;
  return about['open'] === true ? 'LLM-C29' : undefined;
}

/**
 * The requirement that forbids to run a call. Undefined when the call may run.
 *
 * @param open - the requirement about a cut call that the wire shows to be incomplete: see {@link openRow}
 */
export function forbiddingRow(
  call: GeneratedCall,
  response: AnswerAccount,
  open?: string,
): string | undefined {
  if (call.custom === true) return customRow(call, response);
  const object = argumentsObject(call) !== undefined;
  if (breakRow(response) !== undefined) return object ? undefined : argumentsRow(call);
  const honest = response.signal === 'honest';
  // Under a false signal, a call that was cut after its last brace looks complete.
  if (!call.complete && honest) return cutByLimit;
  // Arguments that come by path have no text that would not parse.
  if (!call.complete && (object || open === openByPaths)) return open;
  if (!call.complete) return 'LLM-C05';
  if (object) return undefined;
  const row = argumentsRow(call);
  return row === repaired && !honest ? 'LLM-C05' : row;
}

/** Free text does not show that it was cut: only an honest signal of the limit does. */
const customRow = ({ complete }: GeneratedCall, response: AnswerAccount): string | undefined =>
  !complete && response.signal === 'honest' && breakRow(response) === undefined ? cutByLimit : undefined;

/** The requirement about the error to the caller, for a response that broke off. Undefined for other responses. */
export function breakRow({ failed, garbled, signal }: AnswerAccount): string | undefined {
  if (garbled) return 'LLM-C50';
  if (failed) return 'LLM-C07';
  return signal === 'missing' ? 'LLM-C06' : undefined;
}

/** The requirement that forbids to run a call with these arguments, which are no object. */
const argumentsRow = ({ arguments: text }: GeneratedCall): string =>
  parsedJson(text) === undefined ? repaired : 'LLM-C16';

/** The requirement about calls that the limit cut. A body without the text of the arguments can show it. */
const cutByLimit = 'LLM-C01';

/** The requirement about arguments that had to be completed or repaired. */
export const repaired = 'LLM-C02';

/** Whether the arguments of a call are no JSON, so that whoever runs it has repaired them. */
export const needsRepair = (call: GeneratedCall): boolean =>
  argumentsObject(call) === undefined && parsedJson(call.arguments) === undefined;

/** Whether a run of a forbidden call had other arguments than came. Free text may run as it came. */
const wasRepaired = (call: GeneratedCall, { input }: ReportedCall): boolean =>
  call.custom === true ? input !== call.arguments : needsRepair(call);

/** Why a call must not run, by the requirement that forbids it. */
export const forbiddenReasons: { readonly [row: string]: string } = {
  'LLM-C01': 'the limit cut it',
  'LLM-C02': 'its arguments are not JSON',
  'LLM-C05': 'its arguments do not parse, whatever the stop signal says',
  'LLM-C16': 'its arguments are not an object',
  'LLM-C29': 'its block was never closed',
  'LLM-C41': 'no part without willContinue ended it',
};

/** The beginning of a value as JSON. */
function shownValue(value: unknown): string {
  try {
    return shown(JSON.stringify(value));
  } catch {
    return 'a value nested too deep to show';
  }
}

const shown = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);

export function executionViolations(ask: TurnRequest, said: ReportedAnswer): readonly ExecutionViolation[] {
  const told = ask.exchanges.flatMap((exchange) => {
    const { answered: response } = exchange;
    if (response === undefined) return [];
    const open = openRow(ask, exchange);
    const shown = showsArguments(exchange, ask.dialect);
    return response.calls.map((call): MatchableCall => {
      const hidden = !shown && isAltered(call, response);
      return { ...call, response, open, shown, hidden, taken: false };
    });
  });
  // A call that the model has made again is that of the later answer.
  const inOrder = told.toSorted((a, b) => Number(isBroken(a)) - Number(isBroken(b)));
  const due = (call: MatchableCall): boolean => call.hidden || forbiddenBy(call) === undefined;
  const strays = said.executed.filter((run) => {
    const match = inOrder.find((call) => !call.taken && due(call) && isRunOf(run, call));
    if (match !== undefined) match.taken = true;
    return match === undefined;
  });
  return [
    ...(said.failed ? [] : inOrder.flatMap(brokenViolations)),
    ...strays.flatMap((run) => violationsOf(ask, run, told)),
    ...said.executed.flatMap((run) => roundedViolations(run, told, said)),
  ];
}

const forbiddenBy = (call: MatchableCall): string | undefined =>
  forbiddingRow(call, call.response, call.open);

const isBroken = ({ response }: MatchableCall): boolean => breakRow(response) !== undefined;

/** Why a response is broken, by its row. */
const brokenReasons: { readonly [row: string]: string } = {
  'LLM-C06': 'its response ended without a terminal',
  'LLM-C50': 'a message of its response had a wrong checksum',
};

/** The violation by a turn that ran a call of a broken response, and ended without an error. */
function brokenViolations({ name, taken, response }: MatchableCall): readonly ExecutionViolation[] {
  const row = breakRow(response);
  if (!taken || row === undefined) return [];
  const why = brokenReasons[row] ?? 'its response ended with an error';
  return [{ row, message: `expected an error after the call ${name}, because ${why}; came none` }];
}

/** Whether a body with an object as arguments cannot show the call as the model wrote it. */
const isAltered = (call: GeneratedCall, response: AnswerAccount): boolean => {
  const row = forbiddingRow(call, response);
  if (row !== undefined) return row !== cutByLimit;
  return hugeIntegersOf(call).length > 0;
};

const isRunOf = ({ name, input }: ReportedCall, call: MatchableCall): boolean =>
  name === call.name && (call.hidden || equalJson(input, inputOf(call)));

/**
 * Explains an execution without a matching call. It ran a forbidden call of the same name, or it had the wrong input.
 */
function violationsOf(
  ask: TurnRequest,
  run: ReportedCall,
  told: readonly MatchableCall[],
): readonly ExecutionViolation[] {
  const input = shownValue(run.input);
  const named = told.filter((call) => call.name === run.name && !call.taken);
  const forbidden = named.find((call) => forbiddenBy(call) !== undefined);
  const meant = forbidden ?? named[0];
  if (meant !== undefined) meant.taken = true;
  if (forbidden !== undefined) {
    const row = forbiddenBy(forbidden) ?? '';
    const { arguments: text } = forbidden;
    const message = `expected ${run.name} not to be executed, because ${forbiddenReasons[row] ?? ''} (${shown(text)}); it was, with ${input}`;
    const isRepair =
      row !== repaired && row !== openByPaths && forbidden.shown && wasRepaired(forbidden, run);
    return [{ row, message }, ...(isRepair ? [{ row: repaired, message }] : [])];
  }
  const row = strayRow(ask, meant, told);
  const was = meant === undefined ? 'no such call' : shown(meant.arguments);
  return [
    { row, message: `expected executions of the model's calls only (${was}); ${run.name} ran with ${input}` },
  ];
}

/** The requirement about an execution with another input than came. */
function strayRow(
  ask: TurnRequest,
  meant: MatchableCall | undefined,
  told: readonly MatchableCall[],
): string {
  if (meant?.custom === true && !meant.complete) return repaired;
  if (meant !== undefined && hugeIntegersOf(meant).length > 0) return 'LLM-C20';
  return contentRow(ask, meant?.response.calls.length ?? told.length);
}

/** Violations by rounded numbers: the input is the nearest double, and the line does not contain the digits. */
function roundedViolations(
  run: ReportedCall,
  told: readonly MatchableCall[],
  said: ReportedAnswer,
): readonly ExecutionViolation[] {
  const call = told.find((one) => isRunOf(run, one));
  const survived = new Set(unsafeIntegers(said.raw ?? ''));
  const huge = call === undefined || call.hidden ? [] : hugeIntegersOf(call);
  const lost = huge.filter((digits) => !survived.has(digits));
  return lost.map((digits) => ({
    row: 'LLM-C20',
    message: `expected ${digits} to survive, or the call to be refused; ${run.name} ran with ${shownValue(run.input)}`,
  }));
}
