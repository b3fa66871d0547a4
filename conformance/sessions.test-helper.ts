/** Reads the hand-written sessions of suites: traces whose names say how they are judged. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TraceEvent } from '../src/kit/base/index.ts';
import { packageRoot, parseEvent, parseHeader } from '../src/kit/spec/index.ts';

/** A hand-written session. Its name is `<row>.<kind>.jsonl`, with the role between where roles share a folder. */
export interface Session {
  readonly name: string;
  /** The requirement that it is about. */
  readonly row: string;
  readonly events: readonly TraceEvent[];
}

/** The sessions of all suites of a protocol, by the id of their suite. */
export function sessionsOf(protocol: string): ReadonlyMap<string, readonly Session[]> {
  const folder = join(packageRoot(), 'fixtures', protocol, 'sessions');
  const sessions = new Map<string, Session[]>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!path.endsWith('.jsonl')) continue;
    const [first = '', ...lines] = readFileSync(join(folder, path), 'utf8').trimEnd().split('\n');
    const { suite } = parseHeader(first, `${path}:1`);
    let before: TraceEvent | undefined;
    const events = lines.map((line, i) => (before = parseEvent(line, `${path}:${i + 2}`, before)));
    const name = path.replace(/^.*[/\\]/, '');
    const session = { name, row: name.slice(0, name.indexOf('.')), events };
    sessions.set(suite, [...(sessions.get(suite) ?? []), session]);
  }
  return sessions;
}
