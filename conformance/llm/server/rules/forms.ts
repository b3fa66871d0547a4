/** LLM-S35: one request that demands a call, answered as a stream and as a body. */
import { isObject } from '../../../../src/kit/base/index.ts';
import { exercised, forgetOldest, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { StopKind } from '../answer-parts.ts';
import type { Answer } from '../answer.ts';
import { at } from '../dialects/reader.ts';
import { shown } from '../words.ts';
import type { ServerView } from '../view.ts';
import { limitReached } from './answer-rule.ts';
import { factRuleWith } from './fact-rule.ts';

/** The most requests whose first answer is kept, and the most characters of a request. */
const kept = { requests: 32, characters: 1 << 16 } as const;

/** The types of a choice that demand a call. */
const demanding: ReadonlySet<unknown> = new Set(['any', 'tool', 'function', 'custom']);

const demandsCall = (choice: unknown): boolean =>
  choice === 'required' ||
  choice === 'ANY' ||
  (isObject(choice) && (demanding.has(choice['type']) || 'any' in choice || 'tool' in choice));

/** The choice of a request: Gemini's is a mode, Bedrock's has the name of its kind as a member. */
const choiceOf = (asked: unknown): unknown =>
  at(asked, 'tool_choice') ??
  at(asked, 'toolConfig', 'functionCallingConfig', 'mode') ??
  at(asked, 'toolConfig', 'toolChoice');

/** A request without its form: the dialect, the prompt, the tools and the choice. Undefined when it demands no call. */
function demandOf({ request, asked }: Answer): string | undefined {
  if (request === undefined || !isObject(asked)) return undefined;
  const choice = choiceOf(asked);
  if (!demandsCall(choice)) return undefined;
  // Of several choices, each has a word of its own.
  if (Number(asked['n'] ?? 1) !== 1) return undefined;
  const { messages, input, contents, tools } = asked;
  const offered = tools ?? at(asked, 'toolConfig', 'tools');
  const asks = [request.dialect, request.system, messages, input, contents, offered, choice];
  const demand = JSON.stringify(asks);
  return demand.length <= kept.characters ? demand : undefined;
}

/** The part of an answer that is not the model's choice. */
interface Kind {
  readonly form: 'stream' | 'body';
  readonly hasCall: boolean;
  readonly word: unknown;
}

/** A limit, a refusal or a filter may end one answer and not the other. */
const ordinary: ReadonlySet<StopKind | undefined> = new Set(['tool', 'end']);

function kindOf(answer: Answer): Kind | undefined {
  if (!ordinary.has(answer.stop?.kind) || limitReached(answer) !== undefined) return undefined;
  // Without the members that a reader needs, its calls cannot be told.
  if (answer.facts.hasViolated('LLM-S30')) return undefined;
  return {
    form: answer.request?.stream === true ? 'stream' : 'body',
    hasCall: [...answer.calls.values()].some((call) => call.complete),
    word: answer.stop?.word,
  };
}

/** How the answers differ. Undefined when they are of one kind. */
function differenceOf(one: Kind, other: Kind): string | undefined {
  const both = 'in the stream and in the body of one request that demands a call';
  if (one.hasCall !== other.hasCall)
    return `expected a call ${both}; the ${(one.hasCall ? other : one).form} has none`;
  return one.word === other.word
    ? undefined
    : `expected one stop word ${both}; came ${shown(other.word)} in the ${other.form}, ${shown(one.word)} in the ${one.form}`;
}

export const formRules: readonly Rule<ServerView>[] = [
  factRuleWith(
    'LLM-S35',
    () => new Map<string, Kind>(),
    (fact, event, first) => {
      if (fact.type !== 'terminal') return undefined;
      const demand = demandOf(fact.answer);
      const now = kindOf(fact.answer);
      if (demand === undefined || now === undefined) return undefined;
      const before = first.get(demand);
      if (before === undefined || before.form === now.form) {
        first.set(demand, now);
        forgetOldest(first, kept.requests);
        return undefined;
      }
      first.delete(demand);
      // A server may read over the choice.
      if (!before.hasCall && !now.hasCall) return undefined;
      const difference = differenceOf(now, before);
      return difference === undefined ? exercised(event) : violated(event, difference);
    },
  ),
];
