/** Reads the hand-written sessions of suites: traces whose names say how they are judged. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TraceEvent } from '../src/kit/base/index.ts';
import { edited } from './sessions/edits.test-helper.ts';
import type { SessionEdit } from './sessions/edits.test-helper.ts';
import { packageRoot, parseEvent, parseHeader } from '../src/kit/spec/index.ts';

/** Whether a session meets its requirement, breaks it, only seems to meet it, or cannot be judged by it. */
export type SessionKind = 'good' | 'bad' | 'unmet' | 'unknowable';

/** A hand-written session with changes, as a line of a file of variations. */
interface Variation {
  readonly suite: string;
  readonly row: string;
  readonly is: SessionKind;
  /** The file of the session. */
  readonly of: string;
  readonly edits: readonly SessionEdit[];
}

/** A hand-written session. Its name is `<row>.<kind>.jsonl`, with the role between where roles share a folder. */
export interface Session {
  readonly name: string;
  /** The requirement that it is about. */
  readonly row: string;
  readonly kind: SessionKind;
  readonly events: readonly TraceEvent[];
}

/** The sessions of all suites of a protocol, by the id of their suite. */
export function sessionsOf(protocol: string): ReadonlyMap<string, readonly Session[]> {
  const folder = join(packageRoot(), 'fixtures', protocol, 'sessions');
  const sessions = new Map<string, Session[]>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!path.endsWith('.jsonl') || isVariations(path)) continue;
    const [first = '', ...lines] = readFileSync(join(folder, path), 'utf8').trimEnd().split('\n');
    const { suite } = parseHeader(first, `${path}:1`);
    let before: TraceEvent | undefined;
    const events = lines.map((line, i) => (before = parseEvent(line, `${path}:${i + 2}`, before)));
    const name = path.replace(/^.*[/\\]/, '');
    const kind = (/\.(good|bad|unmet|unknowable)\b/.exec(name)?.[1] ?? 'good') as SessionKind;
    const session = { name, row: name.slice(0, name.indexOf('.')), kind, events };
    sessions.set(suite, [...(sessions.get(suite) ?? []), session]);
  }
  for (const variation of variationsIn(folder))
    sessions.get(variation.suite)?.push(varied(variation, sessions));
  return sessions;
}

/** `variations.jsonl`, or a part of it: `variations.agent.jsonl`. */
const isVariations = (path: string): boolean => path.startsWith('variations.');

function variationsIn(folder: string): readonly Variation[] {
  const paths = readdirSync(folder).filter(isVariations).toSorted();
  const lines = paths.flatMap((path) => readFileSync(join(folder, path), 'utf8').trimEnd().split('\n'));
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Variation);
}

/** @throws Error when the session that it changes does not exist */
function varied(
  { suite, row, is, of, edits }: Variation,
  sessions: ReadonlyMap<string, readonly Session[]>,
): Session {
  const base = sessions.get(suite)?.find(({ name }) => name === of);
  if (base === undefined) throw new Error(`a variation changes ${of}, which ${suite} does not have`);
  const name = `${row} ${is}: ${of} with ${edits.map((edit) => JSON.stringify(edit)).join(' ')}`;
  return { name, row, kind: is, events: edited(base.events, edits) };
}
