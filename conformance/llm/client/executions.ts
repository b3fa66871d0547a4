/**
 * What was executed, held against what the provider said: a call may run that was whole, whose arguments are an object,
 * and whose response ended in order. Each execution that was not due is charged to the row that says why it was not.
 */
import { unsafeIntegers } from '../../../src/kit/testee/index.ts';
import type { Ask } from './view.ts';
import { same } from './answer.ts';
import type { ReportedAnswer, SaidCall } from './answer.ts';
import { hugeIntegers, objectOf, valueOf } from './exchange.ts';
import type { Answered, ToldCall } from './exchange.ts';

/** An execution that was not due, or not with this input. */
export interface Charge {
  readonly row: string;
  readonly message: string;
}

interface Told extends ToldCall {
  readonly response: Answered;
  taken: boolean;
}

/** Why a call must not run, as the row that forbids it; undefined: it may. */
export function forbids(call: ToldCall, response: Answered): string | undefined {
  if (response.failed) return 'LLM-C07';
  if (response.signal === 'missing') return 'LLM-C06';
  const object = objectOf(call) !== undefined;
  const honest = response.signal === 'honest';
  // Under a false signal, what was cut behind its last brace looks like any other call.
  if (!call.complete) return honest ? 'LLM-C01' : object ? undefined : 'LLM-C05';
  if (object) return undefined;
  if (valueOf(call.arguments) !== undefined) return 'LLM-C16';
  return honest ? 'LLM-C02' : 'LLM-C05';
}

const reasons: { readonly [row: string]: string } = {
  'LLM-C01': 'the limit cut it',
  'LLM-C02': 'its arguments are no JSON',
  'LLM-C05': 'its arguments do not parse, whatever the stop signal says',
  'LLM-C06': 'its response ended without a terminal',
  'LLM-C07': 'its response ended with an error',
  'LLM-C16': 'its arguments are no object',
};

/** A value's beginning; one that is nested too deep to be written has none. */
function written(value: unknown): string {
  try {
    return shown(JSON.stringify(value));
  } catch {
    return 'a value nested too deep to show';
  }
}

const shown = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);

/** The row that other content than what was said is charged to. */
export function contentRow({ about }: Ask, calls: number): string {
  if (about['noise'] === true) return 'LLM-C12';
  return calls > 1 ? 'LLM-C17' : 'LLM-C11';
}

/** Every execution of an answer that was not due. */
export function charges(ask: Ask, said: ReportedAnswer): readonly Charge[] {
  const told = ask.exchanges.flatMap(({ answered }) =>
    (answered?.calls ?? []).map((call): Told => ({ ...call, response: answered as Answered, taken: false })),
  );
  const due = (call: Told): boolean => forbids(call, call.response) === undefined;
  const strays = said.executed.filter((run) => {
    const match = told.find((call) => !call.taken && due(call) && isRunOf(run, call));
    if (match !== undefined) match.taken = true;
    return match === undefined;
  });
  return [
    ...strays.map((run) => charge(ask, run, told)),
    ...said.executed.flatMap((run) => rounded(run, told, said)),
  ];
}

const isRunOf = ({ name, input }: SaidCall, call: ToldCall): boolean =>
  name === call.name && same(input, objectOf(call));

/** What a stray execution was made of: the call of its name that was not to run, else one whose input it mistook. */
function charge(ask: Ask, run: SaidCall, told: readonly Told[]): Charge {
  const input = written(run.input);
  const named = told.filter((call) => call.name === run.name && !call.taken);
  const forbidden = named.find((call) => forbids(call, call.response) !== undefined);
  const meant = forbidden ?? named[0];
  if (meant !== undefined) meant.taken = true;
  if (forbidden !== undefined) {
    const row = forbids(forbidden, forbidden.response) ?? '';
    const { arguments: text } = forbidden;
    const message = `expected ${run.name} not to be executed, for ${reasons[row] ?? ''} (${shown(text)}); it was, with ${input}`;
    return { row, message };
  }
  const row = contentRow(ask, meant?.response.calls.length ?? told.length);
  const was = meant === undefined ? 'no such call' : shown(meant.arguments);
  return {
    row,
    message: `expected executions of what the model called (${was}); ${run.name} ran with ${input}`,
  };
}

/** Numbers that did not survive: the input is the nearest double's, and the line does not say the digits. */
function rounded(run: SaidCall, told: readonly Told[], said: ReportedAnswer): readonly Charge[] {
  const call = told.find((one) => isRunOf(run, one));
  const survived = new Set(unsafeIntegers(said.raw ?? ''));
  const lost = hugeIntegers(call?.arguments ?? '').filter((digits) => !survived.has(digits));
  return lost.map((digits) => ({
    row: 'LLM-C20',
    message: `expected ${digits} to survive, or the call to be refused; ${run.name} ran with ${written(run.input)}`,
  }));
}
