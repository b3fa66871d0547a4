/** Judges the answers of executors by the facts that a test demands. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import {
  difference,
  exercisedUnless,
  judgeByFacts,
  judgeDigits,
  judgeVector,
  mismatch,
  shown,
} from '../../../src/kit/testee/index.ts';
import type { Fact, Facts, Judgement } from '../../../src/kit/testee/index.ts';
import { effectFacts } from './facts/effects.ts';
import { byId, isAdvice, ofEvents, placesOf, runEvents, textIn, textOf, textsIn } from './events.ts';
import type { RunEvents } from './events.ts';
import { feedFacts, fetchedAt, missingFeature, paced, tellsFetches, withRuntime } from './facts/feeds.ts';
import { judgeEvents } from './rules/index.ts';
import { transcriptFacts } from './facts/transcripts.ts';

/** A fact of several values by name: the first bad judgement counts. */
const ofEach = (judge: (name: string, wanted: Json, events: RunEvents) => Judgement): Fact =>
  ofEvents((wanted, events) => {
    for (const [name, value] of Object.entries(isObject(wanted) ? wanted : {})) {
      const judged = judge(name, value, events);
      if (judged !== 'exercised') return judged;
    }
    return 'exercised';
  });

/** A text without blanks at its ends, and with single ones inside. */
const tidy = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

const ofText = (kind: string): Fact =>
  ofEvents((wanted, events) => {
    const came = tidy(textOf(events, kind));
    const same = typeof wanted === 'string' && tidy(wanted) === came;
    return same ? 'exercised' : mismatch(`the text of ${kind}s ${shown(wanted)}`, shown(came));
  });

/** Pairs of events, of which the first comes before the second. */
const before = ofEvents((wanted, events) => {
  for (const [first = '', second = ''] of (isArray(wanted) ? wanted : []).map(textsIn)) {
    const [a] = placesOf(events, first);
    const [b] = placesOf(events, second);
    if (a === undefined || b === undefined)
      return mismatch(`${first} and ${second}`, `no ${a === undefined ? first : second}`);
    if (a > b) return mismatch(`${first} before ${second}`, `${second} before ${first}`);
  }
  return 'exercised';
});

const never = ofEvents((wanted, events) => {
  const came = textsIn(wanted).find((name) => placesOf(events, name).length > 0);
  return came === undefined ? 'exercised' : mismatch(`no ${came}`, came);
});

const once = ofEvents((wanted, events) => {
  for (const name of textsIn(wanted)) {
    const { length } = placesOf(events, name);
    if (length !== 1) return mismatch(`${name} once`, length === 0 ? 'none' : `${length}`);
  }
  return 'exercised';
});

/** How early and how late an event may be (s). */
const early = 0.02;
const late = 0.12;
/** A busy machine with a real clock is late by less than this (s). */
const slow = 0.25;

/** The times of events, each at most so late. */
const atWithin = (most: number): Fact =>
  ofEach((name, wanted, events) => {
    const [place] = placesOf(events, name);
    const time = place === undefined ? undefined : events[place]?.['at'];
    if (typeof time !== 'number') return mismatch(`${name} at ${shown(wanted)} s`, shown(time));
    const right = Number(wanted);
    return time >= right - early && time <= right + most
      ? 'exercised'
      : mismatch(`${name} at ${right} s`, `${Math.round(time * 1000) / 1000} s`);
  });

/** The facts of times, each at most so late. */
const timesWithin = (most: number): Facts => ({
  at: atWithin(most),
  fetchedAt: fetchedAt(most, early),
  paced: paced(most, early),
});

/** The value of a completed action. */
const completed = ofEach((id, wanted, events) => {
  const event = byId(events, 'completed').get(id);
  if (event === undefined) return mismatch(`${id} to be completed`, 'no such event');
  return exercisedUnless(difference(`the output of ${id}`, wanted, event['output']));
});

/** A failed action: the number of its attempts, where the test names one. A testee may not tell it: times show it, too. */
const failed = ofEach((id, wanted, events) => {
  const event = byId(events, 'failed').get(id);
  if (event === undefined) return mismatch(`${id} to fail`, 'no such event');
  const attempts = isObject(wanted) ? wanted['attempts'] : undefined;
  const { attempts: came } = event;
  if (attempts === undefined || came === undefined || attempts === came) return 'exercised';
  return mismatch(`${shown(attempts)} attempts of ${id}`, shown(came));
});

/** A skipped action: the cause names one of these ids. */
const skipped = ofEach((id, wanted, events) => {
  const event = byId(events, 'skipped').get(id);
  if (event === undefined) return mismatch(`${id} to be skipped`, 'no such event');
  const because = textIn(event, 'because');
  const causes = textsIn(wanted);
  return causes.some((cause) => because.includes(cause))
    ? 'exercised'
    : mismatch(`${id} to be skipped because of ${causes.join(' or ')}`, shown(event['because']));
});

const untoldParameters: Judgement = {
  unknowable: 'its events started have no parameters, so that references in them are not seen',
};

/** The parameters with which an action starts. A testee may not tell them. */
const started = ofEach((id, wanted, events) => {
  const event = byId(events, 'started').get(id);
  if (event === undefined) return mismatch(`${id} to start`, 'no such event');
  if (event['parameters'] === undefined) return untoldParameters;
  return exercisedUnless(difference(`the parameters of ${id}`, wanted, event['parameters']));
});

/** The digits of integers in the parameters with which actions start. */
const digits = ofEvents((wanted, events) => {
  const all = byId(events, 'started');
  const untold = Object.keys(isObject(wanted) ? wanted : {}).find(
    (id) => all.has(id) && all.get(id)?.['parameters'] === undefined,
  );
  if (untold !== undefined) return untoldParameters;
  return judgeDigits(wanted, (id) => {
    const parameters = all.get(id)?.['parameters'];
    return isObject(parameters) ? parameters : undefined;
  });
});

/** So many actions start, each with an id of its own. */
const starts = ofEvents((wanted, events) => {
  const ids = events.filter(({ type }) => type === 'started').map((event) => textIn(event, 'id'));
  if (new Set(ids).size !== ids.length) return mismatch('different ids', ids.map(shown).join(', '));
  return ids.length === wanted ? 'exercised' : mismatch(`${shown(wanted)} actions to start`, `${ids.length}`);
});

const iterations = ofEvents((wanted, events) => {
  const { length } = placesOf(events, 'iteration');
  return length === wanted ? 'exercised' : mismatch(`${shown(wanted)} events iteration`, `${length}`);
});

/** The kind of the last event. */
const last = ofEvents((wanted, events) => {
  const kind = events.at(-1)?.['type'];
  return kind === wanted ? 'exercised' : mismatch(`${shown(wanted)} as the last event`, shown(kind));
});

const facts: Facts = {
  before,
  never,
  once,
  ...timesWithin(late),
  completed,
  failed,
  skipped,
  started,
  digits,
  starts,
  iterations,
  last,
  ...transcriptFacts,
  ...feedFacts,
  ...effectFacts,
  thought: ofText('thought'),
  response: ofText('response'),
  finalResponse: ofEvents((wanted, events) => {
    const came = tidy(
      textOf(
        events.filter(({ final }) => final === true),
        'response',
      ),
    );
    return typeof wanted === 'string' && tidy(wanted) === came
      ? 'exercised'
      : mismatch(`the text of the final response ${shown(wanted)}`, shown(came));
  }),
  said: (wanted, ok, request) => (tellsFetches(ok) ? 'exercised' : ofText('response')(wanted, ok, request)),
  diagnostic: ofEvents((_, events) =>
    events.some((event) => event['type'] === 'diagnostic' && !isAdvice(event))
      ? 'exercised'
      : mismatch('a diagnostic', 'none'),
  ),
};

const judge = judgeByFacts({ 'sep.run': facts });
const judgeSlow = judgeByFacts({ 'sep.run': { ...facts, ...timesWithin(slow) } });

/** The feature of the events that report faults. */
const diagnostics = 'diagnostics';

/** A test and its answer. */
export interface AnsweredRun {
  /** Whether the request must be refused. Default: it must not. */
  readonly isInvalid?: boolean;
  /** Whether the request may be refused. Where it is not, the answer must meet `expect`. */
  readonly mayBeRefused?: boolean;
  readonly expect: JsonObject;
  readonly request: JsonObject;
  readonly answer: JsonObject;
  /** The features that the testee claims. */
  readonly features: readonly string[];
  /** Whether its clock is virtual. A real clock on a busy machine is late, and shows nothing then. */
  readonly isVirtual: boolean;
}

/**
 * Judges an answer for a requirement: by the facts that its test demands, and by the rule about the events of a run.
 *
 * @example
 * const request = { op: 'sep.run', iterations: [[]] };
 * const ok = { events: [{ type: 'started', id: 'a', at: 0 }, { type: 'completed', id: 'a', output: 1, at: 2 }] };
 * const run = { request, answer: { ok }, features: [], isVirtual: true };
 * judgeRun('SEP-31', { ...run, expect: { before: [['started a', 'completed a']] } }); // 'exercised'
 * judgeRun('SEP-31', { ...run, expect: { never: ['completed a'] } });
 * // { violated: 'expected no completed a; came completed a' }
 */
export function judgeRun(row: string, run: AnsweredRun): Judgement {
  const answer = withRuntime(run.answer, run.request);
  const judgement = judgeFacts({ ...run, answer });
  const { ok } = answer;
  if (typeof judgement === 'object' || !isObject(ok)) return judgement;
  const ofEvents = judgeEvents(row, ok);
  return typeof ofEvents === 'object' ? ofEvents : judgement;
}

/** Judges an answer by the facts in `expect`. Diagnostics are judged for testees that have them. */
export function judgeFacts(run: AnsweredRun): Judgement {
  const { isInvalid = false, mayBeRefused = false, expect, request, answer, features, isVirtual } = run;
  const missing = missingFeature(expect, request, features);
  if (missing !== undefined) return { unknowable: missing };
  if (isInvalid) return judgeVector({ result: 'invalid' }, answer);
  if (mayBeRefused && answer['error'] !== undefined) return judgeVector({ result: 'acceptable' }, answer);
  const { mayFail, ...demanded } = expect;
  if (mayFail !== undefined && failsOne(mayFail, answer)) return undefined;
  const owed = Object.fromEntries(
    Object.entries(demanded).filter(([name]) => name !== 'diagnostic' || features.includes(diagnostics)),
  );
  const judgement = judge(owed, request, answer);
  if (isVirtual || !isViolated(judgement) || isViolated(judgeSlow(owed, request, answer))) return judgement;
  return {
    unknowable: 'its clock is not virtual, and was late: an event came more than 0.12 s after its time',
  };
}

/** Whether an action failed that may fail: then its test shows nothing. */
function failsOne(ids: Json, { ok }: JsonObject): boolean {
  const events = isObject(ok) ? runEvents(ok) : [];
  return typeof events !== 'string' && textsIn(ids).some((id) => byId(events, 'failed').has(id));
}

const isViolated = (judgement: Judgement): boolean =>
  typeof judgement === 'object' && 'violated' in judgement;
