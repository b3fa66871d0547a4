/**
 * Reads a file of sessions, JSON Lines: either a whole trace, or a head and the sessions of one row and role. Such a
 * session is written out (a line that names it, and its events), or it is one line: exchanges of a testee, or edits of
 * another session.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isArray, isObject, jsonOf } from '../../src/kit/base/index.ts';
import type { Json, JsonObject, TraceEvent } from '../../src/kit/base/index.ts';
import { parseEvent, parseHeader } from '../../src/kit/spec/index.ts';
import type { SessionEdit } from './edits.test-helper.ts';
import type { Exchange } from './frame.test-helper.ts';

/** A session as its file says it. */
export interface Entry {
  /** Its file and line. */
  readonly where: string;
  readonly suite: string;
  readonly revision: string;
  /** What the notes of all sessions of the file begin with: the clause of the source. */
  readonly clause: string;
  /** The requirement that it is about. */
  readonly row: string;
  /** The name of the file, without its ending. */
  readonly stem: string;
  /** Its kind, and a number where there are several: `bad-2`. */
  readonly is: string;
  readonly scenario?: string;
  /** Why it is good or bad. */
  readonly note?: string;
  /** The session that it changes. Absent: the one above it that is written out, or that has whole exchanges. */
  readonly of?: string;
  /** What makes it worth having, where it is no session of its own but a variation of another one. */
  readonly why?: string;
  readonly hello?: JsonObject;
  readonly exchanges?: readonly (Partial<Exchange> & Pick<Exchange, 'answer'>)[];
  readonly edits?: readonly SessionEdit[];
  /** The events of one that is written out. */
  readonly events: readonly TraceEvent[];
}

/** The version of this format, as the head of a file has it. */
const format = 'sessions/1';
const members = ['is', 'scenario', 'note', 'of', 'why', 'hello', 'exchanges', 'edits'];
const kindAndNumber = /^(?:[a-z]+\.)?(?:good|bad|unmet|unknowable)(?:-\d+)?$/;

/**
 * The sessions of a file.
 *
 * @throws Error with file and line
 */
export function readSessionFile(path: string): readonly Entry[] {
  const file = basename(path);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const head = objectIn(lines[0] ?? '', `${file}:1`);
  return head['wireproof'] === format ? sessionsIn(lines, file, head) : [wholeTrace(lines, file)];
}

function sessionsIn(
  lines: readonly string[],
  file: string,
  { suite, revision, clause = '' }: JsonObject,
): readonly Entry[] {
  if (typeof suite !== 'string' || typeof revision !== 'string' || typeof clause !== 'string')
    throw new Error(`${file}:1: expected {"wireproof":"${format}","suite":…,"revision":…,"clause":…}`);
  const stem = file.slice(0, -'.jsonl'.length);
  const common = { suite, revision, clause, row: rowOf(file), stem };
  const entries: (Entry & { readonly events: TraceEvent[] })[] = [];
  lines.forEach((line, i) => {
    if (i === 0) return;
    const where = `${file}:${i + 1}`;
    const object = objectIn(line, where);
    const last = entries.at(-1);
    if (object['seq'] === undefined) entries.push({ ...common, ...entryIn(object, where), events: [] });
    else if (last === undefined || last.edits !== undefined || last.exchanges !== undefined)
      throw new Error(`${where}: an event, but no session that is written out stands above it`);
    else last.events.push(parseEvent(line, where, last.events.at(-1)));
  });
  const bare = entries.find(
    ({ edits, exchanges, events }) => edits === undefined && exchanges === undefined && events.length === 0,
  );
  if (bare !== undefined) throw new Error(`${bare.where}: expected its events, "exchanges" or "edits"`);
  return entries;
}

/**
 * A session in a file of its own, which `wireproof judge` reads. Its name is that of the file.
 *
 * @throws Error with file and line
 */
function wholeTrace(lines: readonly string[], file: string): Entry {
  const [first = '', ...rest] = lines;
  const { suite, revision, scenario, note = '' } = parseHeader(first, `${file}:1`);
  const [, stem = '', is = ''] = /^([\w-]+(?:\.[a-z]+)?)\.([^.]+)\.jsonl$/.exec(file) ?? [];
  const events: TraceEvent[] = [];
  rest.forEach((line, i) => events.push(parseEvent(line, `${file}:${i + 2}`, events.at(-1))));
  return {
    where: `${file}:1`,
    suite,
    revision,
    clause: '',
    row: rowOf(file),
    stem,
    is,
    scenario,
    note,
    events,
  };
}

const rowOf = (file: string): string => file.slice(0, file.indexOf('.'));

function objectIn(line: string, where: string): JsonObject {
  let value: Json | undefined;
  try {
    value = jsonOf(line);
  } catch {
    // It is refused below.
  }
  if (!isObject(value)) throw new Error(`${where}: expected a JSON object; came ${line.slice(0, 80)}`);
  return value;
}

/** A session's own line. */
function entryIn(object: JsonObject, where: string): Pick<Entry, 'where' | 'is'> {
  const unknown = Object.keys(object).find((name) => !members.includes(name));
  if (unknown !== undefined)
    throw new Error(`${where}: a session has no member "${unknown}"; expected ${members.join(', ')}`);
  const { is, of, why, edits = [], exchanges = [] } = object;
  if (typeof is !== 'string' || !kindAndNumber.test(is))
    throw new Error(`${where}: expected "is" with a kind and a number, such as "bad-2"; came ${String(is)}`);
  if (!isArray(edits) || !isArray(exchanges))
    throw new Error(`${where}: expected lists of edits and of exchanges`);
  if (why !== undefined && of === undefined)
    throw new Error(
      `${where}: a session with "why" is a variation: expected "of", the session that it changes`,
    );
  return { ...object, where, is };
}
