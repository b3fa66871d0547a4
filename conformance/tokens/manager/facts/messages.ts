/** Facts of `tokens.estimate`, `tokens.prune` and `tokens.summarize`. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import {
  orderFault,
  emptyContentFault,
  emptyMessageFault,
  leastTokens,
  readMessage,
  readMessages,
  pairingFault,
  splitCharacterFault,
  textsOf,
  conversationFault,
  resultOrderFault,
} from './conversation.ts';
import type { Message } from './conversation.ts';
import { difference, mismatch, sameValue, shown, exercisedUnless } from '../../../../src/kit/testee/index.ts';
import type { Fact, Facts, Judgement } from '../../../../src/kit/testee/index.ts';
import { toolContextFault, toolContextOf } from './tool-context.ts';
import { idList, objectsIn, textOf, textsIn } from './values.ts';

/** A fact of a number, or of a range when the requirement can be read in two ways. */
const tokens: Fact = (wanted, { tokens: came }) => {
  const { atLeast, atMost } = isObject(wanted) ? wanted : { atLeast: wanted, atMost: wanted };
  const fits = typeof came === 'number' && came >= Number(atLeast) && came <= Number(atMost);
  const range = atLeast === atMost ? shown(atLeast) : `${shown(atLeast)} to ${shown(atMost)}`;
  return fits ? 'exercised' : mismatch(`tokens ${range}`, shown(came));
};

/** The facts of `tokens.estimate`. */
export const estimateFacts: Facts = { tokens };

/** A fact of a pruned conversation. */
const ofMessages =
  (judge: (messages: readonly Message[], wanted: Json, request: JsonObject) => Judgement): Fact =>
  (wanted, ok, request) => {
    const messages = readMessages(ok['messages']);
    return typeof messages === 'string' ? { violated: messages } : judge(messages, wanted, request);
  };

/** The marks that no text of a conversation contains. */
const lost = (messages: readonly Message[], marks: readonly string[]): readonly string[] => {
  const texts = textsOf(messages);
  return marks.filter((mark) => !texts.some((text) => text.includes(mark)));
};

/**
 * The messages with these marks survive with their whole text. The text may be joined with others.
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
    : mismatch(`the messages ${idList(missing)} to survive`, 'others, or not the whole of their texts');
});

/** All calls survive, with their arguments and results. */
const toolContext = ofMessages((messages, _, request) => {
  const given = toolContextOf(objectsIn(request['messages']));
  const came = toolContextOf(messages.map(({ json }) => json));
  return given.length === 0 ? undefined : exercisedUnless(toolContextFault(given, came));
});

const unchanged = ofMessages((messages, _, request) => {
  const given = request['messages'];
  // The messages to send again may never have come.
  if (!Array.isArray(given)) return undefined;
  const plain = (all: readonly JsonObject[]): Json => all.map(withoutNone);
  return exercisedUnless(
    difference('messages', plain(objectsIn(given)), plain(messages.map(({ json }) => json))),
  );
});

/** Removes empty lists of calls and results, which equal absent ones. */
const withoutNone = (json: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(json).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );

const paired = ofMessages((messages) => {
  const separated = pairingFault(messages);
  if (separated !== undefined) return { violated: separated };
  return messages.some(({ calls }) => calls.length > 0) ? 'exercised' : undefined;
});

/** All messages of a turn survive, or none. The value lists the marks of each turn. */
const wholeTurns = ofMessages((messages, wanted) => {
  const turns = (Array.isArray(wanted) ? wanted : []).map((marks: Json) => ({
    marks: textsIn(marks),
    missing: lost(messages, textsIn(marks)),
  }));
  const cut = turns.find(({ marks, missing }) => missing.length > 0 && missing.length < marks.length);
  if (cut !== undefined)
    return mismatch(
      `the turn of ${idList(cut.marks)} to stay or go as a whole`,
      `it without ${idList(cut.missing)}`,
    );
  return turns.some(({ missing }) => missing.length > 0) ? 'exercised' : undefined;
});

/** TOK-39: each call has one result. It is an error if any of its results was. */
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

/** TOK-36: a shortened result has this number of lines and a marker. An unchanged result does not exercise it. */
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
  messages.length === 0 ? undefined : exercisedUnless(emptyMessageFault(messages) ?? orderFault(messages)),
);

const fits = ofMessages((messages, _, request) => {
  const least = leastTokens(messages);
  return least <= Number(request['limit'])
    ? 'exercised'
    : mismatch(`at most ${shown(request['limit'])} tokens`, `messages of ${least} or more`);
});

const whole = ofMessages((messages) => exercisedUnless(splitCharacterFault(textsOf(messages))));

const sound = ofMessages((messages) =>
  messages.length === 0 ? undefined : exercisedUnless(conversationFault(messages)),
);

const resultOrder = ofMessages((messages) => exercisedUnless(resultOrderFault(messages)));

/** The facts of `tokens.prune`. */
export const pruneFacts: Facts = {
  resultOrder,
  keeps,
  toolContext,
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

/** Accepted words for each part of the summary. One is enough. */
const covers = ofSummary(({ content }, wanted) => {
  const text = content.toLowerCase();
  const parts = objectsIn(wanted).map(({ part, words }) => ({ part, words: textsIn(words) }));
  const missing = parts.filter(({ words }) => !words.some((word) => text.includes(word)));
  return missing.length === 0
    ? 'exercised'
    : mismatch(
        `a summary that covers ${idList(missing.map(({ part }) => textOf(part)))}`,
        `one of ${content.length} characters without`,
      );
});

const wholeSummary = ofSummary(({ content }) => exercisedUnless(splitCharacterFault([content])));

/** The summary says something, and has no calls or results of its own. Its role is not judged. */
const soundSummary = ofSummary((message) =>
  message.calls.length + message.results.length > 0
    ? mismatch('a summary without calls and results', shown(message.json))
    : exercisedUnless(emptyContentFault([message])),
);

/** The facts of `tokens.summarize`. */
export const summaryFacts: Facts = { covers, whole: wholeSummary, sound: soundSummary };
