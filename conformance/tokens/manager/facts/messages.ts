/** Facts of `tokens.estimate`, `tokens.prune` and `tokens.summarize`: what became of a conversation. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import {
  disorderIn,
  emptyIn,
  leastTokens,
  readMessage,
  readMessages,
  separatedIn,
  splitIn,
  textsOf,
  unsoundIn,
} from '../conversation.ts';
import type { Message } from '../conversation.ts';
import { difference, mismatch, sameValue, shown, exercisedUnless } from '../../../../src/kit/testee/index.ts';
import type { Fact, Facts, Judgement } from '../../../../src/kit/testee/index.ts';
import { listed, objectsIn, textOf, textsIn } from './values.ts';

/** A number, or one of a range where the sentence can be read in two ways. */
const tokens: Fact = (wanted, { tokens: came }) => {
  const { atLeast, atMost } = isObject(wanted) ? wanted : { atLeast: wanted, atMost: wanted };
  const fits = typeof came === 'number' && came >= Number(atLeast) && came <= Number(atMost);
  const range = atLeast === atMost ? shown(atLeast) : `${shown(atLeast)} to ${shown(atMost)}`;
  return fits ? 'exercised' : mismatch(`tokens ${range}`, shown(came));
};

/** What tests ask of `tokens.estimate`. */
export const estimateFacts: Facts = { tokens };

/** A fact of a conversation that was pruned. */
const ofMessages =
  (judge: (messages: readonly Message[], wanted: Json, request: JsonObject) => Judgement): Fact =>
  (wanted, ok, request) => {
    const messages = readMessages(ok['messages']);
    return typeof messages === 'string' ? { violated: messages } : judge(messages, wanted, request);
  };

/** Which of some marks stand in no text of a conversation. */
const lost = (messages: readonly Message[], marks: readonly string[]): readonly string[] => {
  const texts = textsOf(messages);
  return marks.filter((mark) => !texts.some((text) => text.includes(mark)));
};

/**
 * Each message has a mark of its own in its text: those with these marks are still there, their whole text, be it
 * joined with others.
 */
const keeps = ofMessages((messages, wanted, request) => {
  const given = objectsIn(request['messages']).map(({ content }) => textOf(content));
  const texts = textsOf(messages);
  const missing = textsIn(wanted).filter((mark) => {
    const whole = given.find((text) => text.includes(mark)) ?? mark;
    return !texts.some((text) => text.includes(whole));
  });
  return missing.length === 0
    ? 'exercised'
    : mismatch(`the messages ${listed(missing)} to survive`, 'others, or not the whole of their texts');
});

/** Calls or results that must be there, by their ids. */
const keepsCalls = ofMessages((messages, wanted) => {
  const there = new Set(messages.flatMap(({ calls }) => calls));
  const missing = textsIn(wanted).filter((id) => !there.has(id));
  return missing.length === 0
    ? 'exercised'
    : mismatch(`the calls ${listed(missing)} to survive`, listed([...there]));
});

const unchanged = ofMessages((messages, _, request) => {
  const given = request['messages'];
  // What was to be put again may never have come.
  if (!Array.isArray(given)) return undefined;
  const plain = (all: readonly JsonObject[]): Json => all.map(withoutNone);
  return exercisedUnless(
    difference('messages', plain(objectsIn(given)), plain(messages.map(({ json }) => json))),
  );
});

/** No calls may be written as none. */
const withoutNone = (json: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(json).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );

const paired = ofMessages((messages) => {
  const separated = separatedIn(messages);
  if (separated !== undefined) return { violated: separated };
  return messages.some(({ calls }) => calls.length > 0) ? 'exercised' : undefined;
});

/** Lists of marks, a turn each: of a turn, all messages are there or none. */
const wholeTurns = ofMessages((messages, wanted) => {
  const turns = (Array.isArray(wanted) ? wanted : []).map((marks: Json) => ({
    marks: textsIn(marks),
    missing: lost(messages, textsIn(marks)),
  }));
  const cut = turns.find(({ marks, missing }) => missing.length > 0 && missing.length < marks.length);
  if (cut !== undefined)
    return mismatch(
      `the turn of ${listed(cut.marks)} to stay or go as a whole`,
      `it without ${listed(cut.missing)}`,
    );
  return turns.some(({ missing }) => missing.length > 0) ? 'exercised' : undefined;
});

/** TOK-39: however many results a call had, there is one, and it is the worst. */
const oneResult = ofMessages((messages, wanted) => {
  const { id, isError } = isObject(wanted) ? wanted : {};
  const results = messages
    .flatMap(({ json }) => objectsIn(json['toolResults']))
    .filter((one) => one['id'] === id);
  const [first] = results;
  if (first === undefined || results.length > 1)
    return mismatch(`one result of ${shown(id)}`, String(results.length));
  return sameValue(`isError of the result of ${shown(id)}`, isError ?? false, first['isError'] ?? false);
});

/** TOK-36: of a result so many lines are left, and a marker; a result that is left alone shows nothing. */
const shortens = ofMessages((messages, wanted, request) => {
  const { id, lines } = isObject(wanted) ? wanted : {};
  const contentOf = (all: readonly JsonObject[]): readonly string[] | undefined => {
    const found = all.flatMap((one) => objectsIn(one['toolResults'])).find((one) => one['id'] === id);
    return typeof found?.['content'] === 'string' ? found['content'].split('\n') : undefined;
  };
  const before = contentOf(objectsIn(request['messages'])) ?? [];
  const after = contentOf(messages.map(({ json }) => json)) ?? [];
  const kept = before.slice(0, Number(lines));
  const cut = after.length < before.length && after.length > kept.length;
  return cut && kept.every((line, i) => line === after[i]) ? 'exercised' : undefined;
});

const ordered = ofMessages((messages) =>
  messages.length === 0 ? undefined : exercisedUnless(emptyIn(messages) ?? disorderIn(messages)),
);

const fits = ofMessages((messages, _, request) => {
  const least = leastTokens(messages);
  return least <= Number(request['limit'])
    ? 'exercised'
    : mismatch(`at most ${shown(request['limit'])} tokens`, `messages of ${least} or more`);
});

const whole = ofMessages((messages) => exercisedUnless(splitIn(textsOf(messages))));

const sound = ofMessages((messages) =>
  messages.length === 0 ? undefined : exercisedUnless(unsoundIn(messages)),
);

/** What tests ask of `tokens.prune`. */
export const pruneFacts: Facts = {
  keeps,
  keepsCalls,
  unchanged,
  paired,
  wholeTurns,
  oneResult,
  shortens,
  ordered,
  fits,
  whole,
  sound,
};

/** A fact of a summary. */
const ofSummary =
  (judge: (message: Message, wanted: Json) => Judgement): Fact =>
  (wanted, ok) => {
    const message = readMessage(ok['message'], 'message');
    return typeof message === 'string' ? { violated: message } : judge(message, wanted);
  };

/** Words of which one is enough, for each part of the summary. */
const covers = ofSummary(({ content }, wanted) => {
  const text = content.toLowerCase();
  const parts = objectsIn(wanted).map(({ part, words }) => ({ part, words: textsIn(words) }));
  const missing = parts.filter(({ words }) => !words.some((word) => text.includes(word)));
  return missing.length === 0
    ? 'exercised'
    : mismatch(
        `a summary that covers ${listed(missing.map(({ part }) => textOf(part)))}`,
        `one of ${content.length} characters without`,
      );
});

const wholeSummary = ofSummary(({ content }) => exercisedUnless(splitIn([content])));

/** Can stand in a conversation by itself. */
const soundSummary = ofSummary((message) => exercisedUnless(unsoundIn([message])));

/** What tests ask of `tokens.summarize`. */
export const summaryFacts: Facts = { covers, whole: wholeSummary, sound: soundSummary };
