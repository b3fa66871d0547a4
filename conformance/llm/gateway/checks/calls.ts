/** Calls of tools: LLM-G05 to G10. */
import { isArray, isNumber, isObject } from '../../../../src/kit/base/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import type { AnsweredCall } from '../../../../src/llm/gateway/index.ts';
import { argumentsOf, sameJson } from '../compare.ts';
import { broken, held, kept, quoted } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { hasTextArguments, isLimited } from './answered.ts';
import type { AnswerCheck, Answered } from './answered.ts';

/** A call of the provider, and what the client heard of it. */
interface CallPair {
  readonly sent: AnsweredCall;
  readonly heard: AnsweredCall | undefined;
  /** Whether its arguments are a JSON object. */
  readonly whole: boolean;
}

/** Whether the last call of a body may have been cut: Anthropic then has an object all the same. */
const mayBeCut = ({ below, sent }: Answered): boolean =>
  below.dialect === 'anthropic' && !below.sent.streamed && isLimited(sent);

/** The provider's calls in their order, each with the client's; and the client's calls that are none of them. */
function paired(answered: Answered): {
  readonly pairs: readonly CallPair[];
  readonly more: readonly AnsweredCall[];
} {
  const { sent, heard } = answered;
  const rest = [...heard.calls];
  const isWhole = (call: AnsweredCall, i: number): boolean => {
    const mayEndCut = i === sent.calls.length - 1 && (mayBeCut(answered) || isCutEmpty(answered, call));
    return argumentsOf(call) !== undefined && !mayEndCut;
  };
  const wholes = sent.calls.map(isWhole);
  const pairs = sent.calls.map((call, i): CallPair => {
    const whole = wholes[i] === true;
    const [next] = rest;
    // A call that is not whole may be missing: those that must be there are looked for first.
    const spare = rest.length - wholes.slice(i + 1).filter(Boolean).length;
    const isThere = next !== undefined && (whole || (next.name === call.name && spare > 0));
    if (isThere) rest.shift();
    return { sent: call, heard: isThere ? next : undefined, whole };
  });
  return { pairs, more: rest };
}

/** A last call without text at a limit: it was cut before its first parameter. */
const isCutEmpty = ({ sent }: Answered, { text }: AnsweredCall): boolean =>
  isLimited(sent) && text.trim() === '';

const namesOf = (calls: readonly AnsweredCall[]): string => `[${calls.map(({ name }) => name).join(', ')}]`;

/** LLM-G05: number, names and order. */
export const sameCalls: AnswerCheck = (answered) => {
  const { above, below, sent, heard } = answered;
  const { pairs, more } = paired(answered);
  if (pairs.length === 0 && more.length === 0) return [];
  const isSame =
    more.length === 0 && pairs.every((pair) => !pair.whole || pair.heard?.name === pair.sent.name);
  const isShown = pairs.some(({ whole }) => whole) || !isSame;
  if (!isShown) return [];
  const { shared } = above.heard.indexes;
  // A provider may have mixed its indexes up itself.
  if (shared !== undefined && below.sent.indexes.shared === undefined)
    return [broken('LLM-G05', `expected an index of its own for each call; two calls have ${shared}`)];
  return [
    held('LLM-G05', isSame, () => `expected the calls ${namesOf(sent.calls)}; came ${namesOf(heard.calls)}`),
  ];
};

/** LLM-G06 and G07: the arguments as a value, and the digits of their integers. */
export const sameArguments: AnswerCheck = (answered) =>
  paired(answered).pairs.flatMap(({ sent, heard, whole }) => {
    if (!whole || heard === undefined || heard.name !== sent.name) return [];
    const [due, came] = [argumentsOf(sent), argumentsOf(heard)];
    const isSame = came !== undefined && sameJson(due, came);
    const value = held(
      'LLM-G06',
      isSame,
      () => `expected the arguments ${quoted(sent.text)} of ${sent.name}; came ${quoted(heard.text)}`,
    );
    return [value, ...(isSame ? digits(answered, sent, heard) : [])];
  });

/** Whether a value holds an integer that no double has. */
function holdsLong(value: Json | undefined): boolean {
  if (isNumber(value)) return typeof value === 'bigint';
  if (isArray(value)) return value.some(holdsLong);
  return isObject(value) && Object.values(value).some(holdsLong);
}

function digits({ above, below }: Answered, sent: AnsweredCall, heard: AnsweredCall): readonly GatewayFact[] {
  const isText = below.dialect !== 'ollama' && (below.dialect !== 'anthropic' || below.sent.streamed);
  if (!isText || !hasTextArguments(above) || !holdsLong(argumentsOf(sent))) return [];
  const isSame = sameJson(argumentsOf(sent), argumentsOf(heard), true);
  return [
    held(
      'LLM-G07',
      isSame,
      () => `expected all digits of the integers in ${quoted(sent.text)}; came ${quoted(heard.text)}`,
    ),
  ];
}

/** LLM-G08: an id for each call, unique in the answer. */
export const ids: AnswerCheck = ({ above, heard }) => {
  if (heard.calls.length === 0 || above.dialect === 'ollama') return [];
  const all = heard.calls.map(({ id }) => id);
  const nameless = heard.calls.find(({ id }) => id === undefined);
  if (nameless !== undefined)
    return [broken('LLM-G08', `expected an id of the call of ${nameless.name}; came no id`)];
  const twice = all.find((id, i) => all.indexOf(id) !== i);
  return [
    held(
      'LLM-G08',
      twice === undefined,
      () => `expected an id of its own for each call; ${quoted(twice ?? '')} came twice`,
    ),
  ];
};

/** Whether the client's dialect has an object where the arguments are text elsewhere. */
const hasObject = ({ above }: Answered): boolean =>
  above.dialect === 'ollama' || (above.dialect === 'anthropic' && !above.heard.streamed);

/** LLM-G09 and G10: a call that was cut stays cut, and a text that is no JSON is not replaced by a value. */
export const brokenCalls: AnswerCheck = (answered) =>
  paired(answered).pairs.flatMap(({ sent, heard, whole }) => {
    if (whole) return [];
    const limited = isLimited(answered.sent);
    const row = limited ? 'LLM-G09' : 'LLM-G10';
    if (heard === undefined) return [kept(row)];
    const came = argumentsOf(heard);
    const isEmpty = came !== undefined && isObject(came) && Object.keys(came).length === 0;
    const isPrefix = sent.text.startsWith(heard.text) && (came === undefined || heard.text === sent.text);
    // Before its first parameter a cut call is like a call without arguments, which has {} (LLM-G06).
    const isUnbegun = sent.text.trim() === '' || heard.text === '';
    const isLawful = isPrefix || (limited && isEmpty && (hasObject(answered) || isUnbegun));
    return [
      held(row, isLawful || (mayBeCut(answered) && sameJson(argumentsOf(sent), came)), () =>
        limited
          ? `expected the cut arguments ${quoted(sent.text)} as they were, or no call; came ${quoted(heard.text)}`
          : `expected the arguments ${quoted(sent.text)}, which are no JSON, as they were, or no call; came ${quoted(heard.text)}`,
      ),
    ];
  });
