// Looks for a session, changed in one or two places, whose verdict tells a mutation apart from the rule as it is.

import { createHash } from 'node:crypto';
import { closureOf, sessionFails } from './groups.mjs';
import { keyOf } from './survivors.mjs';

/** A number that is made of a text. */
const seedOf = (text) => createHash('sha256').update(text).digest().readUInt32LE();

/** A seeded generator of numbers (mulberry32): a search is repeatable. */
export function seeded(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** All scalar values of sessions by the place that holds them: the event's kind, and the path without positions. */
export function dictionaryOf(sessions) {
  const values = new Map();
  for (const { events } of sessions)
    for (const { kind, data } of events)
      for (const path of pathsOf(data)) {
        const value = path.reduce((at, one) => at[one], data);
        if (typeof value === 'object' && value !== null) continue;
        const place = placeOf(kind, path);
        if (!values.has(place)) values.set(place, new Set());
        if (values.get(place).size < 60) values.get(place).add(value);
      }
  return values;
}

/** What the kit does to a target and to the network between two events. */
const kitMarks = [
  { fault: 'stop' },
  { fault: 'cut' },
  { fault: 'slow' },
  { fault: 'stall', ms: 700 },
  { fault: 'stall', ms: 5000 },
  { stop: 'target' },
].map((data) => ({ from: 'kit', kind: 'mark', data }));

/** The events that other sessions have, by wire: each a candidate to be put into a session. Ends come often. */
export function eventsOf(sessions) {
  const all = new Map();
  for (const { events } of sessions)
    for (const { wire, kind, from, data } of events) {
      if (kind === 'undecodable' || (kind === 'mark' && (data.run !== undefined || data.end === true)))
        continue;
      const one = { from: from === 'target' || from === 'kit' ? from : 'peer', kind, data };
      const text = JSON.stringify(one);
      if (!all.has(wire)) all.set(wire, { messages: new Map(), others: new Map() });
      const { messages, others } = all.get(wire);
      (kind === 'message' ? messages : others).set(text, one);
    }
  return new Map(
    [...all].map(([wire, { messages, others }]) => [
      wire,
      [[...messages.values()], [...others.values(), ...kitMarks]],
    ]),
  );
}

const placeOf = (kind, path) =>
  `${kind} ${path.map((one) => (typeof one === 'number' ? '*' : one)).join('.')}`;

const pathsOf = (value, before = []) =>
  typeof value !== 'object' || value === null
    ? []
    : Object.keys(value).flatMap((key) => {
        const path = [...before, Array.isArray(value) ? Number(key) : key];
        return [path, ...pathsOf(value[key], path)];
      });

/** The texts and numbers of a rule's line, and the numbers beside them: values that may decide. */
function hintsOf({ text }) {
  const texts = [...text.matchAll(/'([^']*)'/g)].map(([, one]) => one);
  const numbers = [...text.matchAll(/\b\d[\d_]*(?:\.\d+)?\b/g)].map(([one]) =>
    Number(one.replaceAll('_', '')),
  );
  return [...texts, ...numbers.flatMap((n) => [n - 1, n, n + 1])];
}

/** Words of events that a word of a rule is about. */
const about = {
  ambiguous: ['send_message', 'send'],
  disturbed: ['fault', 'undecodable'],
  ended: ['end', 'reset', 'half_close'],
  isBlocked: ['approval'],
  late: ['ms', 'fault'],
  isLive: ['end', 'reset', 'fault'],
  packOutSince: ['execute_pack_tool', 'pack_tool_result'],
  shutdown: ['shutdown'],
  stop: ['stop'],
  stopAsked: ['cancel', 'stop'],
  terminal: ['done', 'error', 'cancelled'],
};

/** The events that share a word with a rule's line: these may decide. */
function relevantOf({ text }, inserts) {
  const words = [...new Set(text.match(/[A-Za-z_]{3,}/g) ?? [])].flatMap((word) => [
    word,
    ...(about[word] ?? []),
  ]);
  const isRelevant = (one) => words.some((word) => JSON.stringify(one).includes(`"${word}"`));
  return new Map([...inserts].map(([wire, lists]) => [wire, lists.flat().filter(isRelevant)]));
}

/** Times by which events come later or earlier (ms). */
const delays = [1, 50, 150, 400, 2000, 6000, 11_000, 31_000, 130_000, -50, -1000, -20_000];

/** Random edits of a session: one, or two that belong together. Values come from the same place of other sessions. */
export function randomEdits(events, { dictionary, inserts }, random, { hints, relevant }) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const at = Math.floor(random() * events.length);
  const how = random();
  // As the last event, at the time of the session's end: what was due is over then, or excused.
  if (how > 0.9) {
    const last = events.length - 1;
    const beside = Math.floor(random() * events.length);
    const others = inserts.get(events[beside].wire)?.[1] ?? [];
    if (others.length > 0) return [{ insert: pick(others), after: last, beside }, { drop: last }];
  }
  if (how < 0.2) return { drop: at };
  if (how < 0.27) return { first: at + 1 };
  if (how < 0.4) return { twice: at };
  if (how < 0.5) return { move: at, after: Math.floor(random() * events.length) };
  if (how < 0.66) {
    // On the stream of any event.
    const beside = Math.floor(random() * events.length);
    const { wire } = events[beside];
    const decisive = relevant.get(wire) ?? [];
    const [messages, others] = inserts.get(wire) ?? [[], []];
    const list = decisive.length > 0 && random() < 0.7 ? decisive : random() < 0.5 ? messages : others;
    if (list.length > 0) return { insert: pick(list), after: at, beside };
  }
  if (how < 0.72) return { late: at, ms: pick(delays) };
  const { kind, data } = events[at];
  const paths = pathsOf(data);
  if (paths.length === 0) return { drop: at };
  const path = pick(paths);
  const value = path.reduce((inner, one) => inner[one], data);
  const hint = hints.filter((one) => typeof one === typeof value && one !== value);
  if (hint.length > 0 && random() < 0.4) return { set: at, path, to: pick(hint) };
  const others = [...(dictionary.get(placeOf(kind, path)) ?? [])].filter((one) => one !== value);
  if (typeof value === 'number') others.push(value + 1, value - 1);
  if (typeof value === 'boolean') others.push(!value);
  return others.length === 0 || random() < 0.2 ? { set: at, path } : { set: at, path, to: pick(others) };
}

/** Whether a session is written in a file of its own, and no variation. */
const isFile = ({ name }) => !name.includes(' ');

/** The kind of a session with these verdicts. */
function kindOf({ violated, exercised, unknowable }, row) {
  if (violated.has(row)) return 'bad';
  if (unknowable.has(row)) return 'unknowable';
  return exercised.has(row) ? 'good' : 'unmet';
}

/** Has the verdicts of sessions under the original rule and under the changed one. */
function tellerOf({ judgings, rows, original, judging, rules, mutation }) {
  const changedRows = (before, after) =>
    [...rules].filter(
      (row) =>
        after === undefined ||
        before.violated.has(row) !== after.violated.has(row) ||
        before.exercised.has(row) !== after.exercised.has(row) ||
        before.unknowable.has(row) !== after.unknowable.has(row),
    );
  /** The row, and the kind of session, that tells the changed rule from the original; undefined: nothing does. */
  return (events) => {
    const before = judgings.judged(original, events, rules);
    const after = judgings.judged(judging, events, rules, mutation);
    if (before === undefined) return undefined;
    const changed = changedRows(before, after);
    if (changed.length === 0) return undefined;
    const whole = judgings.judged(original, events);
    if (whole === undefined) return undefined;
    for (const row of changed) {
      const entailed = closureOf(rows, row, 1);
      const kind = kindOf(whole, row);
      if (sessionFails(kind, row, entailed)(whole)) continue;
      if (after === undefined) return { row, kind };
      const wholeAfter = judgings.judged(judging, events, undefined, mutation);
      if (wholeAfter === undefined || sessionFails(kind, row, entailed)(wholeAfter)) return { row, kind };
    }
    return undefined;
  };
}

/** The sessions to change: those that reach the mutation twice, so that they are picked more often. */
function poolOf(sessions, traces, rules) {
  const reaching = sessions.filter((one, g) => isFile(one) && traces?.has(g) === true);
  const own = sessions.filter((one) => isFile(one) && rules.has(one.row));
  const others = reaching.length + own.length < 4 ? sessions.filter(isFile) : [];
  return [...reaching, ...reaching, ...own, ...others];
}

/** The rules to judge with: those in which the mutation was reached, otherwise all. */
function rulesOf(traces, original) {
  const owners = new Set(
    [...(traces?.values() ?? [])].flatMap((of) => [...of.values()].flatMap((set) => [...(set ?? [])])),
  );
  return owners.size > 0 ? owners : new Set(original.rules.map(({ requirement }) => requirement));
}

/** The session after some edits; undefined where they do not fit it. */
function edited(kit, { events }, edits) {
  try {
    return kit.edited(events, edits);
  } catch {
    return undefined;
  }
}

/** Leaves out an edit that is not needed. @returns the session, its edits, and what `tell` says of it */
function fewest(kit, base, edits, tell) {
  const without = edits.length < 2 ? [] : edits.map((_, at) => edits.filter((_, other) => other !== at));
  for (const some of [...without, edits]) {
    const events = kit.edited(base.events, some);
    const told = tell(events);
    if (told !== undefined) return { ...told, base, edits: some, events };
  }
  return undefined;
}

/**
 * Changes sessions until one tells the mutation apart. `differs`: whether the changed expression had another value.
 *
 * @returns what tells it apart, if anything does, and in how many tries the expression had another value
 */
function searchSession({ kit, pool, values, change, tries, tell, differs }) {
  const random = seeded(seedOf(keyOf(change)) + tries);
  const hints = hintsOf(change);
  const relevant = relevantOf(change, values.inserts);
  // Sessions in which the changed expression has another value: one more edit may turn this into another verdict.
  const near = [];
  let reached = 0;
  for (let i = 0; i < tries; i++) {
    const pick = (list) => list[Math.floor(random() * list.length)];
    const from = near.length > 0 && random() < 0.6 ? pick(near) : { base: pick(pool), edits: [] };
    const { base } = from;
    const edits = [...from.edits, ...[randomEdits(base.events, values, random, { hints, relevant })].flat()];
    const events = edited(kit, base, edits);
    if (events === undefined || !differs(events)) continue;
    reached++;
    if (tell(events) !== undefined) return { reached, told: fewest(kit, base, edits, tell) };
    if (edits.length < 3 && near.length < 60) near.push({ base, edits });
  }
  return { reached, told: undefined };
}

/** Prints a session that tells a mutation apart, as a line for the file of its row. */
function printFound(suite, { row, kind, base, edits }, { path, line, column, original, changed }) {
  const why = `${path.replace('conformance/', '')}:${line}:${column} ${original} → ${changed}`.slice(0, 160);
  const found = { is: kind, of: base.name.replace(/\.jsonl$/, ''), edits, why };
  process.stdout.write(`FOUND ${suite.id} ${row} ${JSON.stringify(found)}\n`);
}

/**
 * Prints, for each mutation that survived, a changed session that tells it apart: its suite, its row, and its line for the
 * file of the row. `tries`: at most. Of the others it prints in how many tries the changed expression had another value: in
 * none, it may be the same.
 */
export async function searchSuite(judgings, suite, survivors, mutations, tries) {
  const { kit } = judgings;
  const { requirements: rows } = kit.suiteRows(suite);
  const sessions = kit.sessionsOf(suite.protocol).get(suite.id) ?? [];
  const values = { dictionary: dictionaryOf(sessions), inserts: eventsOf(sessions) };
  // What is not an expression has no value to compare.
  const statements = new Set(
    mutations.filter(({ changed }) => changed === '(removed)' || /^\w+$/.test(changed)).map(({ id }) => id),
  );
  const found = [];
  // The ids of mutations depend on the order in which modules are read.
  const inOrder = survivors.toSorted((a, b) => (keyOf(mutations[a]) < keyOf(mutations[b]) ? -1 : 1));
  for (const mutation of inOrder) {
    const { original, judging, traces, isAtLoad } = await judgings.place(suite.id, mutation);
    if (judging === undefined) continue;
    const rules = rulesOf(traces, original);
    const tell = tellerOf({ judgings, rows, original, judging, rules, mutation });
    if (found.some((events) => tell(events) !== undefined)) continue;
    const change = mutations[mutation];
    const hasValue = !isAtLoad && !statements.has(mutation);
    const differs = (events) => !hasValue || judgings.differs(original, events, rules, mutation);
    const pool = poolOf(sessions, traces, rules);
    const { reached, told } = searchSession({ kit, pool, values, change, tries, tell, differs });
    if (told === undefined) {
      process.stdout.write(`QUIET ${reached} ${keyOf(change)}\n`);
      continue;
    }
    found.push(told.events);
    printFound(suite, told, change);
  }
}
