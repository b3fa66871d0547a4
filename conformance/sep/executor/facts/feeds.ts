/** Facts of feeds: what was fetched, when, and what the model sees of it. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { difference, mismatch, shown } from '../../../../src/kit/testee/index.ts';
import type { Fact, Facts, Judgement } from '../../../../src/kit/testee/index.ts';
import { isFetched, ofEvents, runEvents, textIn, textsIn } from '../events.ts';
import type { RunEvents } from '../events.ts';
import { injectedIn } from './injected.ts';
import type { InjectedFeed } from './injected.ts';

/** A value of a feed that was fetched: its text, and its time (s). */
interface FetchedText {
  readonly text: string;
  readonly at: Json | undefined;
}

/**
 * The answer with the mark `runtime` on each event of a feed, where the model has written none: an executor need not
 * set it.
 */
export function withRuntime(answer: JsonObject, { iterations }: JsonObject): JsonObject {
  const { ok } = answer;
  const isWritten = JSON.stringify(iterations ?? null).includes('<context_feed');
  if (isWritten || !isObject(ok) || !isArray(ok['events'])) return answer;
  const events = ok['events'].map((event) =>
    isObject(event) && event['type'] === 'context_feed' ? { ...event, runtime: true } : event,
  );
  return { ...answer, ok: { ...ok, events } };
}

/** Whether an answer tells what was fetched. */
export function tellsFetches(ok: JsonObject): boolean {
  const events = runEvents(ok);
  return typeof events !== 'string' && events.some(isFetched);
}

const noEvents: Judgement = {
  unknowable:
    'its answer has no event context_feed with runtime: true, so that what it fetched, and when, is not seen',
};

/** The values of a feed. Equal ones in a row are one: an executor may show a value that it uses again. */
function fetchesOf(events: RunEvents, id: string): readonly FetchedText[] {
  const found: FetchedText[] = [];
  for (const event of events) {
    if (!isFetched(event) || event['id'] !== id) continue;
    const text = textIn(event, 'text');
    if (found.at(-1)?.text !== text) found.push({ text, at: event['at'] });
  }
  return found;
}

/** Whether a text stands for a value: a text is itself, any other value is JSON with any blanks. */
export function standsFor(text: string, value: Json): boolean {
  if (typeof value === 'string') return text.trim() === value.trim();
  try {
    return difference('value', value, JSON.parse(text)) === undefined;
  } catch {
    return false;
  }
}

/** A fact of feeds by id: the first bad judgement counts. */
const ofFeeds = (judge: (id: string, wanted: Json, came: readonly FetchedText[]) => Judgement): Fact =>
  ofEvents((wanted, events, ok) => {
    if (!tellsFetches(ok)) return noEvents;
    for (const [id, value] of Object.entries(isObject(wanted) ? wanted : {})) {
      const judged = judge(id, value, fetchesOf(events, id));
      if (judged !== 'exercised') return judged;
    }
    return 'exercised';
  });

const listOf = (came: readonly FetchedText[]): string =>
  came.length === 0 ? 'nothing' : came.map(({ text }) => shown(text)).join(', ');

const fetched = ofFeeds((id, wanted, came) => {
  const values = isArray(wanted) ? wanted : [];
  const isRight =
    values.length === came.length && values.every((value, i) => standsFor(came[i]?.text ?? '', value));
  return isRight
    ? 'exercised'
    : mismatch(`the values ${values.map(shown).join(', ')} of the feed ${id}`, listOf(came));
});

const timesOf = (came: readonly FetchedText[]): string =>
  came.length === 0 ? 'none' : `fetches at ${came.map(({ at }) => shown(at)).join(', ')} s`;

/** The times of fetches with another value than before; `most`: how late they may be (s). */
export const fetchedAt = (most: number, early: number): Fact =>
  ofFeeds((id, wanted, came) => {
    const times = isArray(wanted) ? wanted : [];
    const isRight =
      times.length === came.length &&
      times.every((time, i) => {
        const late = Number(came[i]?.at ?? NaN) - Number(time);
        return late >= -early && late <= most;
      });
    return isRight
      ? 'exercised'
      : mismatch(`fetches of the feed ${id} at ${times.map(shown).join(', ')} s`, timesOf(came));
  });

/** After an update, the first fetch comes within the new interval, and each further one after one more. */
export const paced = (most: number, early: number): Fact =>
  ofFeeds((id, wanted, came) => {
    const { from, every } = isObject(wanted) ? wanted : {};
    const times = came.map(({ at }) => Number(at)).filter((at) => at > Number(from) + early);
    const isRight = times.every((at, i) => {
      const over = at - (times[i - 1] ?? Number(from)) - Number(every);
      return over <= most + early && (i === 0 || over >= -most - early);
    });
    return isRight && times.length > 1
      ? 'exercised'
      : mismatch(
          `a fetch of the feed ${id} each ${shown(every)} s after its update at ${shown(from)} s`,
          timesOf(came),
        );
  });

/** A wanted text; '' for another value. */
const textOf = (wanted: Json): string => (typeof wanted === 'string' ? wanted : '');

/** The first value is this moment, in any form of ISO 8601, or the values are these moments. */
const times = ofFeeds((id, wanted, came) => {
  const moments = isArray(wanted) ? wanted : [wanted];
  const told = isArray(wanted) ? came : came.slice(0, 1);
  const isRight =
    moments.length === told.length &&
    moments.every((moment, i) => Date.parse(told[i]?.text.trim() ?? '') === Date.parse(textOf(moment)));
  return isRight
    ? 'exercised'
    : mismatch(`the time ${moments.map(shown).join(', ')} of the feed ${id}`, listOf(told));
});

/** The value is the begin of a text: shorter than the text, not empty, and of whole characters. */
const shortened = ofFeeds((id, wanted, came) => {
  const text = came.at(-1)?.text.trim();
  const isText = typeof wanted === 'string';
  const whole = isText ? wanted.trim() : JSON.stringify(wanted);
  if (text === undefined) return mismatch(`a value of the feed ${id}`, 'none');
  const isBegin = text !== '' && text.length < whole.length && (!isText || whole.startsWith(text));
  return isBegin && !endsInside(text)
    ? 'exercised'
    : mismatch(`a begin of ${shown(whole)} in the feed ${id}`, `${text.length} characters: ${shown(text)}`);
});

/** Whether a text ends inside of a character. */
const endsInside = (text: string): boolean => /[\ud800-\udbff]$/.test(text);

/** A fact of each text that the model sees: `wanted` has a value for each. */
const ofTexts =
  (judge: (wanted: Json, feeds: readonly InjectedFeed[], where: string) => Judgement): Fact =>
  (wanted, ok) => {
    const came = textsIn(ok['transcripts']);
    for (const [i, one] of (isArray(wanted) ? wanted : []).entries()) {
      const text = came[i];
      if (text === undefined) return mismatch(`transcripts[${i}]`, `${came.length} transcripts`);
      const judged = judge(one, injectedIn(text), `transcripts[${i}]`);
      if (judged !== 'exercised') return judged;
    }
    return 'exercised';
  };

/** By id: the value of a feed that the model sees. It may also see a tag of its own with this id. */
const seen = ofTexts((wanted, feeds, where) => {
  for (const [id, value] of Object.entries(isObject(wanted) ? wanted : {})) {
    const mine = feeds.filter((feed) => feed.id === id);
    if (!mine.some(({ text }) => standsFor(text, value)))
      return mismatch(
        `a context_feed ${id} in ${where} that stands for ${shown(value)}, escaped once`,
        mine.map(({ text }) => shown(text)).join(', ') || 'none',
      );
    const open = mine.find(({ text, tag }) => tag !== undefined && standsFor(text, value));
    if (open !== undefined) return mismatch(`the value of ${id} in ${where} to be escaped`, `${open.tag}…`);
  }
  return 'exercised';
});

const unseen = ofTexts((wanted, feeds, where) => {
  const came = feeds.find(({ id }) => textsIn(wanted).includes(id));
  return came === undefined
    ? 'exercised'
    : mismatch(`no context_feed ${came.id} in ${where}`, shown(came.text));
});

/** By id: whether the feed is marked as stale. */
const stale = ofTexts((wanted, feeds, where) => {
  for (const [id, isStale] of Object.entries(isObject(wanted) ? wanted : {})) {
    const feed = feeds.find((one) => one.id === id);
    if (feed === undefined) return mismatch(`a context_feed ${id} in ${where}`, 'none');
    if (feed.isStale !== isStale)
      return mismatch(
        `the context_feed ${id} in ${where} ${isStale === true ? 'with' : 'without'} stale="true"`,
        feed.isStale ? 'one with it' : 'one without it',
      );
  }
  return 'exercised';
});

/** The facts of feeds, without their times. */
export const feedFacts: Facts = { fetched, times, shortened, seen, unseen, stale };

/** The facts that only transcripts show. */
const ofTranscripts: readonly string[] = ['seen', 'unseen', 'stale'];

/** Why a testee with these features cannot be judged by a test; undefined: it can. */
export function missingFeature(
  expect: JsonObject,
  request: JsonObject,
  features: readonly string[],
): string | undefined {
  const lacks = (feature: string): boolean => !features.includes(feature);
  if (request['manifest'] !== undefined && lacks('manifests'))
    return 'it claims no manifests, and the test has one';
  if (lacks('internal_actions') && hasInternal(request['iterations']))
    return 'it claims no internal_actions, and the test has one';
  return lacks('transcripts') && ofTranscripts.some((name) => Object.hasOwn(expect, name))
    ? 'it claims no transcripts, so that what the model sees is not told'
    : undefined;
}

const hasInternal = (iterations: Json | undefined): boolean =>
  isArray(iterations) &&
  iterations.some((chunks) => textsIn(chunks).join('').includes('<action type="internal"'));
