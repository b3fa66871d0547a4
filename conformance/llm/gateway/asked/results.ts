/** Calls and their results: LLM-G55, and thoughts that go back to their provider: LLM-G04. */
import { broken, held, kept, quoted } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { isSame } from './asked.ts';
import type { Asked, AskedCheck } from './asked.ts';
import { answeredCalls, textsIn } from './conversation.ts';
import type { AnsweredCall, ResultPart } from './conversation.ts';
import { isText } from './texts.ts';

/** LLM-G55: each result reaches its call. */
export const results: AskedCheck = (asked) => {
  const [before, after] = [answeredCalls(asked.above.messages), answeredCalls(asked.below.messages)];
  if (before.unasked.length > 0) return continued(before.unasked, after.unasked);
  const answered = before.calls.filter((one) => one.results.length > 0);
  if (answered.length === 0) return [];
  const shared = sharedId(before.calls, after.calls);
  if (shared !== undefined)
    return [broken('LLM-G55', `expected an id for each call; two calls have the id ${quoted(shared)}`)];
  return before.calls.flatMap((one, i) => resultFacts(asked, one, after.calls[i]));
};

/** Results for calls that only the provider knows keep its ids (`previous_response_id`). */
function continued(due: readonly ResultPart[], came: readonly ResultPart[]): readonly GatewayFact[] {
  return came.length === 0
    ? []
    : due.map(({ id }) =>
        held(
          'LLM-G55',
          came.some((one) => one.id === id),
          () =>
            `expected a result with the id ${quoted(id)}; came ${came.map((one) => quoted(one.id)).join(', ')}`,
        ),
      );
}

/** An id that two calls have below, and did not have above. */
function sharedId(before: readonly AnsweredCall[], after: readonly AnsweredCall[]): string | undefined {
  const ids = (calls: readonly AnsweredCall[]): readonly string[] => calls.map(({ call }) => call.id);
  const [own, other] = [ids(before), ids(after)];
  return other.find((id, i) => {
    const first = other.indexOf(id);
    return first < i && own[first] !== own[i];
  });
}

function resultFacts(
  asked: Asked,
  { call, results: due }: AnsweredCall,
  came: AnsweredCall | undefined,
): readonly GatewayFact[] {
  return due.map((result, i) => {
    const other = came?.results[i];
    if (other === undefined)
      return broken(
        'LLM-G55',
        `expected a result with the id of the call of ${call.name} (${quoted(came?.call.id ?? call.id)}); came none`,
      );
    return sameResult(asked, result, other)
      ? kept('LLM-G55')
      : broken(
          'LLM-G55',
          `expected the result ${resultWords(result)} of the call of ${call.name}; came ${resultWords(other)}`,
        );
  });
}

function sameResult({ pair }: Asked, due: ResultPart, came: ResultPart): boolean {
  const [texts, text] = [textsIn(due.parts), textsIn(came.parts).join('')];
  // An empty result may say that it is empty, and a place of an image what was there.
  const isWhole = texts.length === 0 || isText(texts, text) || mayHaveMore(due, came, texts, text);
  return isWhole && (due.failed !== true || !isSame(pair) || came.failed === true);
}

const mayHaveMore = (due: ResultPart, came: ResultPart, texts: readonly string[], text: string): boolean => {
  const isMarked = due.failed === true && came.failed !== true && text.endsWith(texts.join(''));
  const hasNote = due.parts.length > texts.length && text.includes(texts[0] ?? '');
  return isMarked || hasNote;
};

const resultWords = ({ parts, failed }: ResultPart): string =>
  `${quoted(textsIn(parts).join(''))}${failed === true ? ' that failed' : ''}`;

/** LLM-G04: signed and redacted thoughts go back as they came; without a signature none goes to Anthropic. */
export const thoughts: AskedCheck = ({ above, below, pair }) => {
  const came = below.messages.flatMap(({ parts }) => parts);
  const bare = came.some((part) => part.kind === 'thought' && (part.signature ?? '') === '');
  if (bare && pair.provider === 'anthropic' && !isSame(pair))
    return [broken('LLM-G04', 'expected no thought without a signature; came one')];
  if (!isSame(pair)) return [];
  const facts = above.messages
    .flatMap(({ parts }) => parts)
    .flatMap((part): readonly GatewayFact[] => {
      if (part.kind === 'thought' && (part.signature ?? '') !== '') {
        const { text, signature = '' } = part;
        const isThere = came.some(
          (one) => one.kind === 'thought' && one.text === text && one.signature === signature,
        );
        return [
          held(
            'LLM-G04',
            isThere,
            () => `expected the thought signed ${quoted(signature, 40)} as it was; came none`,
          ),
        ];
      }
      if (part.kind !== 'redacted') return [];
      const isThere = came.some((one) => one.kind === 'redacted' && one.data === part.data);
      return [
        held('LLM-G04', isThere, () => `expected the redacted thought ${quoted(part.data, 40)}; came none`),
      ];
    });
  return facts;
};
