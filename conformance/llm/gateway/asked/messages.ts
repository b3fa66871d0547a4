/** System text and messages: LLM-G52 and G53. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import { argumentsOf, sameJson } from '../compare.ts';
import { broken, held, kept, quoted } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { askedCell, carriesName } from '../tables.ts';
import type { Asked, AskedCheck } from './asked.ts';
import { joined, mediaOf, turnsOf, withoutLeading } from './conversation.ts';
import type { CallPart, Turn } from './conversation.ts';
import { difference, hasTexts, isText } from './texts.ts';

/** What became of a system text after the first message. */
type Fate = 'system' | 'user' | 'top' | 'lost';

const saidBy = (turns: readonly Turn[], role: Turn['role'], text: string): boolean =>
  turns.some((turn) => turn.role === role && turn.texts.join('').includes(text));

/** Both sides, with their first system texts apart. */
interface Sides {
  readonly above: ReturnType<typeof withoutLeading>;
  readonly below: ReturnType<typeof withoutLeading>;
}

const sidesOf = ({ above, below }: Asked): Sides => ({
  above: withoutLeading(turnsOf(above.messages)),
  below: withoutLeading(turnsOf(below.messages)),
});

function fateOf({ below }: Sides, text: string): Fate {
  if (saidBy(below.rest, 'system', text)) return 'system';
  if (saidBy(below.rest, 'user', text)) return 'user';
  return below.system.join('').includes(text) ? 'top' : 'lost';
}

const fateWords: { readonly [F in Fate]: string } = {
  system: 'it as system text',
  user: "it as the user's text",
  top: 'it before all messages',
  lost: 'no such text',
};

/** LLM-G52: all system text, with the system's rank, in its place. */
export const system: AskedCheck = (asked) => {
  const sides = sidesOf(asked);
  return [...leading(sides), ...later(asked, sides)];
};

function leading({ above, below }: Sides): readonly GatewayFact[] {
  if (above.system.length === 0) return [];
  const came = below.system.join('');
  const arrives = isText(above.system, came) || hasTexts(above.system, came);
  return [
    held('LLM-G52', arrives, () => `expected the system text ${difference(above.system.join(''), came)}`),
  ];
}

/** The system texts after the first message of the user or the assistant. */
const laterSystem = ({ above }: Sides): readonly string[] =>
  above.rest.filter(({ role }) => role === 'system').flatMap(({ texts }) => texts);

function later({ pair, claims }: Asked, sides: Sides): readonly GatewayFact[] {
  const { may: lawful } = askedCell('system_later', pair.provider) ?? { may: ['system'] };
  const may = claims.hoists === true ? [...lawful, 'top'] : lawful;
  return laterSystem(sides).map((text) => {
    const fate = fateOf(sides, text);
    return held(
      'LLM-G52',
      may.includes(fate),
      () => `expected the later system text ${quoted(text)} in its place; came ${fateWords[fate]}`,
    );
  });
}

/** The turns that are due below: later system text in the role that it has there. What is lost or moved, LLM-G52 tells. */
function due(sides: Sides): readonly Turn[] {
  const turns = sides.above.rest.flatMap((turn): readonly Turn[] => {
    if (turn.role !== 'system') return [turn];
    return turn.texts.flatMap((text) => {
      const fate = fateOf(sides, text);
      return fate === 'system' || fate === 'user' ? [{ role: fate, texts: [text], calls: [] }] : [];
    });
  });
  return joined(turns);
}

/** The later system texts that are the user's below. A gateway may say next to them whose words they are. */
const becomeUser = (sides: Sides): readonly string[] =>
  laterSystem(sides).filter((text) => fateOf(sides, text) === 'user');

/** LLM-G53: the messages, in order and exact. */
export const messages: AskedCheck = (asked) => {
  const sides = sidesOf(asked);
  const turns = due(sides);
  if (turns.length === 0) return [];
  const fault =
    hasMediaInWords(asked) || hasHistory(asked)
      ? faultWithMore(asked, turns, sides.below.rest)
      : faultIn(asked, turns, sides.below.rest, becomeUser(sides));
  return [fault === undefined ? kept('LLM-G53') : broken('LLM-G53', fault)];
};

function faultIn(
  asked: Asked,
  turns: readonly Turn[],
  came: readonly Turn[],
  moved: readonly string[],
): string | undefined {
  const at = turns.findIndex((turn, i) => {
    const isLast = i === turns.length - 1 && turn.role === 'assistant';
    const next = came[i];
    if (next === undefined) return true;
    if (isLast) return !sameTurn(asked, trimmed(turn), trimmed(next));
    return !sameTurn(
      asked,
      turn,
      next,
      turn.texts.some((text) => moved.includes(text)),
    );
  });
  const [turn, next] = at < 0 ? [undefined, came[turns.length]] : [turns[at], came[at]];
  if (turn !== undefined)
    return next === undefined
      ? `expected ${turnWords(turn)}; came no such message`
      : turnDifference(turn, next);
  return next === undefined ? undefined : `expected no further message; came ${turnWords(next)}`;
}

/** The same where there may be more: earlier messages, or words that stand for images and files. */
function faultWithMore(asked: Asked, turns: readonly Turn[], came: readonly Turn[]): string | undefined {
  let from = 0;
  for (const turn of turns) {
    const at = came.findIndex((next, i) => i >= from && sameTurn(asked, turn, next, true));
    if (at < 0) return `expected ${turnWords(turn)}; came no such message in its place`;
    from = at + 1;
  }
  return undefined;
}

/** Whether the gateway puts the messages that it kept before those of the client (LLM-G70). */
export const hasHistory = ({ above, below }: Asked): boolean =>
  above.previous !== undefined && below.previous === undefined;

/** Whether images or files may be shown in words: the provider's dialect may have no place for them. */
function hasMediaInWords({ above, below }: Asked): boolean {
  const [before, after] = [mediaOf(above.messages), mediaOf(below.messages)];
  return before.inResults.length > after.inResults.length || before.spoken.length > after.spoken.length;
}

function sameTurn(asked: Asked, turn: Turn, came: Turn, mayHaveMore = false): boolean {
  const text = came.texts.join('');
  return (
    turn.role === came.role &&
    (isText(turn.texts, text) || (mayHaveMore && turn.role === 'user' && hasTexts(turn.texts, text))) &&
    turn.calls.length === came.calls.length &&
    turn.calls.every((call, i) => sameCall(asked, call, came.calls[i]))
  );
}

function sameCall({ pair }: Asked, call: CallPart, came: CallPart | undefined): boolean {
  if (came === undefined || (came.name !== call.name && carriesName(pair.provider, call.name))) return false;
  const value = argumentsOf({ text: call.arguments });
  const other = argumentsOf({ text: came.arguments });
  return value === undefined || sameJson(value, other) || sameJson(wellFormed(value), other);
}

/** A value with U+FFFD for half surrogate pairs, which Anthropic refuses (spec/llm/REFUSALS.md). */
function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (isArray(value)) return value.map(wellFormed);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toWellFormed(), wellFormed(one)]));
}

/** White space at the end of a last message of the assistant may go: Anthropic refuses it. */
const trimmed = (turn: Turn): Turn => ({
  ...turn,
  texts: turn.texts.map((text, i) => (i === turn.texts.length - 1 ? text.trimEnd() : text)),
});

const speakers = { system: 'the system', user: 'the user', assistant: 'the assistant' } as const;

const turnWords = ({ role, texts, calls }: Turn): string => {
  const called = calls.length === 0 ? '' : ` and the calls ${callWords(calls)}`;
  return `a message of ${speakers[role]} with the text ${quoted(texts.join(''))}${called}`;
};

const callWords = (calls: readonly CallPart[]): string =>
  `[${calls.map((call) => `${call.name} ${quoted(call.arguments, 40)}`).join(', ')}]`;

function turnDifference(turn: Turn, came: Turn): string {
  const [text, other] = [turn.texts.join(''), came.texts.join('')];
  if (turn.role !== came.role) return `expected ${turnWords(turn)}; came ${turnWords(came)}`;
  if (text !== other && !isText(turn.texts, other))
    return `expected the text of ${speakers[turn.role]} ${difference(text, other)}`;
  return `expected the calls ${callWords(turn.calls)}; came ${callWords(came.calls)}`;
}
