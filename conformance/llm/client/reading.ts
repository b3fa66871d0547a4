/** Whether a client has read an answer as it came: its text, and the calls that it must keep. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json } from '../../../src/kit/base/index.ts';
import { equalJson } from './answer.ts';
import type { ReportedAnswer } from './answer.ts';
import { contentRow, contentRows } from './content-row.ts';
import { hugeIntegersOf, inputOf, isHonestlyTruncated, isSound } from './exchange.ts';
import type { AnswerAccount, Exchange, GeneratedCall } from './exchange.ts';
import { executionViolations } from './executions.ts';
import type { TurnRequest } from './turn-request.ts';

export { contentRow, contentRows };

/** An exchange whose answer is known. */
export type AnsweredExchange = Exchange & { readonly answered: AnswerAccount };

export const quoted = (text: string): string =>
  JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);

/** Dialects whose stream has no text for a call without parameters, and whose body has an object for a call that was cut. */
const hidesCuts: ReadonlySet<string> = new Set(['anthropic', 'bedrock', 'gemini-interactions']);

/**
 * The calls of a response that are complete and whose arguments are an object. These dialects may send a call without
 * parameters as empty text: when the limit ends the response after it, no client can tell it from a call that was cut. In a
 * whole body of theirs, that is so for every last call: its arguments are an object in any case. In OpenAI Chat it is so for a last
 * call of a custom tool, as nothing says that its text is whole.
 */
export const runnableCalls = (exchange: Exchange, { dialect }: TurnRequest): readonly GeneratedCall[] => {
  const calls = exchange.answered?.calls ?? [];
  const last = isHonestlyTruncated(exchange) ? calls.at(-1) : undefined;
  return calls.filter((call) => {
    const input = call.complete ? inputOf(call) : undefined;
    if (input === undefined || call !== last) return input !== undefined;
    if (dialect === 'openai-chat') return call.custom !== true;
    return !hidesCuts.has(dialect) || (exchange.streamed && !isEmptyObject(input));
  });
};

const isEmptyObject = (input: Json): boolean => isObject(input) && Object.keys(input).length === 0;

/** The first call that the testee neither reports nor executes in order. Undefined when all calls are kept. */
export function firstLostCall(
  calls: readonly GeneratedCall[],
  said: ReportedAnswer,
): GeneratedCall | undefined {
  const inOrder = (reported: ReportedAnswer['calls']): GeneratedCall | undefined => {
    let at = 0;
    return calls.find((call) => {
      const found = reported.findIndex(
        (one, i) => i >= at && one.name === call.name && equalJson(one.input, inputOf(call)),
      );
      at = found + 1;
      return found < 0;
    });
  };
  const unreported = inOrder(said.calls);
  return unreported === undefined ? undefined : inOrder(said.executed) && unreported;
}

/** Whether all calls must run, and no integer allows the client to refuse them. */
export const isWhole = (exchange: Exchange): boolean =>
  isSound(exchange) &&
  exchange.answered?.stop === 'tool_use' &&
  exchange.answered.calls.every(
    (call) => call.complete && inputOf(call) !== undefined && hugeIntegersOf(call).length === 0,
  );

/** Whether every response was complete and true. */
const allSound = ({ exchanges, requests }: TurnRequest): boolean =>
  requests === exchanges.length &&
  exchanges.every(
    (one) => isSound(one) && one.answered?.calls.every((c) => c.complete && inputOf(c) !== undefined),
  );

const hasHugeIntegers = ({ answered }: Exchange): boolean =>
  answered?.calls.some((call) => hugeIntegersOf(call).length > 0) === true;

/** A client may report the text of the last response, or of all responses. */
export function textComplaint(
  { answered: last }: Pick<AnsweredExchange, 'answered'>,
  { text, failed }: ReportedAnswer,
  ask: TurnRequest,
): string | undefined {
  if (!allSound(ask)) return undefined;
  // LLM-C20 allows to refuse a call because of its integers. An answer may also say itself that it failed.
  if (failed && ask.exchanges.some((one) => hasHugeIntegers(one) || one.answered?.stop === 'error'))
    return undefined;
  if (failed) return 'expected the response; came an error';
  const texts = ask.exchanges.map(({ answered }) => answered?.text ?? '').filter((one) => one !== '');
  if (texts.length === 0) return undefined;
  const right = [last.text, ...['', '\n', '\n\n'].map((by) => texts.join(by))];
  return right.includes(text) ? '' : `expected the text ${quoted(texts.join(''))}; came ${quoted(text)}`;
}

/** Whether a turn was read right, so that a fault in other pieces of the same answer is a fault of the pieces. */
export function isReadRight(ask: TurnRequest, said: ReportedAnswer): boolean {
  const last = ask.exchanges.at(-1);
  if (last?.answered === undefined) return false;
  if (textComplaint({ answered: last.answered }, said, ask) !== '') return false;
  const owed = ask.exchanges.flatMap((exchange) => runnableCalls(exchange, ask));
  return firstLostCall(owed, said) === undefined && executionViolations(ask, said).length === 0;
}
