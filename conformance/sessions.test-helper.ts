/**
 * The hand-written sessions of suites: traces whose names say how they are judged. Their files hold one session of a row
 * written out, and the others as what differs from it (conformance/sessions/).
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TraceEvent, TraceHeader } from '../src/kit/base/index.ts';
import { packageRoot } from '../src/kit/spec/index.ts';
import { Expander, nameOf } from './sessions/expander.test-helper.ts';
import type { Expanded } from './sessions/expander.test-helper.ts';
import { readSessionFile } from './sessions/file.test-helper.ts';
import type { Entry } from './sessions/file.test-helper.ts';

/** Whether a session meets its requirement, breaks it, only seems to meet it, or cannot be judged by it. */
export type SessionKind = 'good' | 'bad' | 'unmet' | 'unknowable';

/** A hand-written session. Its name is `<row>.<kind>.jsonl`, with the role between where roles share rows. */
export interface Session {
  readonly name: string;
  /** Its file and line. */
  readonly where: string;
  /** The requirement that it is about. */
  readonly row: string;
  readonly kind: SessionKind;
  readonly header: TraceHeader;
  readonly events: readonly TraceEvent[];
}

/** The sessions of all suites of a protocol, by the id of their suite: those of its rows, and then the variations. */
export const sessionsOf = (protocol: string): ReadonlyMap<string, readonly Session[]> =>
  sessionsIn(join(packageRoot(), 'fixtures', protocol, 'sessions'));

/** The session of a name, without its ending. @throws Error when the protocol has none */
export function sessionNamed(protocol: string, name: string): Session {
  const found = [...sessionsOf(protocol).values()].flat().find((one) => one.name === `${name}.jsonl`);
  if (found === undefined) throw new Error(`${protocol} has no session ${name}`);
  return found;
}

/** The sessions whose row a suite does not have, a sentence each with file and line. */
export const strangeRows = (
  suite: string,
  sessions: readonly Session[],
  rows: ReadonlySet<string>,
): readonly string[] =>
  sessions
    .filter(({ row }) => !rows.has(row))
    .map(({ where, row }) => `${where}: ${suite} has no row ${row}`);

/**
 * The sessions of a folder.
 *
 * @throws Error with file and line, when a session has no base, or an edit changes nothing of it
 */
export function sessionsIn(folder: string): ReadonlyMap<string, readonly Session[]> {
  const paths = readdirSync(folder)
    .filter((path) => path.endsWith('.jsonl'))
    .toSorted()
    .map((path) => join(folder, path));
  const frames = new Map(paths.filter(isFrame).map(readFrame));
  const entries = paths.filter((path) => !isFrame(path)).flatMap(readSessionFile);
  const expander = new Expander(entries, frames);
  const suites = new Map<string, Session[]>();
  // The variations come last.
  for (const entry of [...entries.filter((one) => !varies(one)).toSorted(byName), ...entries.filter(varies)])
    suites.set(entry.suite, [...(suites.get(entry.suite) ?? []), sessionOf(entry, expander.expand(entry))]);
  return suites;
}

const isFrame = (path: string): boolean => basename(path).startsWith('frame.');

/** The suite that a frame is of, and its events. */
function readFrame(path: string): readonly [string, readonly TraceEvent[]] {
  const [frame] = readSessionFile(path);
  return [frame?.suite ?? '', frame?.events ?? []];
}

const varies = ({ why }: Entry): boolean => why !== undefined;
const byName = (a: Entry, b: Entry): number => (fileOf(a) < fileOf(b) ? -1 : 1);
const fileOf = (entry: Entry): string => `${nameOf(entry)}.jsonl`;

function sessionOf(entry: Entry, { scenario, note, events }: Expanded): Session {
  const { suite, revision, clause, row, where, is, of = '', edits = [] } = entry;
  const kind = (/good|bad|unmet|unknowable/.exec(is)?.[0] ?? 'good') as SessionKind;
  const name = varies(entry)
    ? `${row} ${is}: ${of}.jsonl with ${edits.map((edit) => JSON.stringify(edit)).join(' ')}`
    : fileOf(entry);
  const written = {
    seed: '0',
    scenario,
    target: 'hand-written',
    started: 0,
    note: `${clause} ${note}`.trim(),
  };
  return { name, where, row, kind, header: { wireproof: 'trace/1', suite, revision, ...written }, events };
}
