/**
 * Hand-written sessions, and what is expected of each: a good one exercises the requirement that it is named after and
 * violates nothing, a bad one violates it and only what that entails.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TraceEvent } from '../src/kit/base/index.ts';
import { Judge } from '../src/kit/judge/index.ts';
import type { Judging } from '../src/kit/judge/index.ts';
import { packageRoot, parseEvent, parseHeader } from '../src/kit/spec/index.ts';
import type { Requirement } from '../src/kit/spec/index.ts';

/** Where the sessions of a role are, and who judges them. */
export interface Place<V> {
  /** Their folder in fixtures/. */
  readonly folder: string;
  /** What the names of the role's own look like, where the folder has others too. */
  readonly named?: RegExp;
  /** The rows that the sessions are about. */
  readonly rows: readonly Requirement[];
  readonly judging: Judging<V>;
}

/** The sessions of a role. */
export interface Sessions {
  /** All of them; a name is `<row>.<kind>.jsonl`, with the role between where roles share a folder. */
  readonly names: readonly string[];
  readonly good: readonly string[];
  readonly bad: readonly string[];
  /** Those of the rows that have no good session, or no bad one; `role` is what names say of it: nothing, or `.codec`. */
  lacking(ids: readonly string[], role?: string): readonly string[];
  judge(name: string): Judged;
  /** It exercises its requirement, and violates nothing. */
  expectGood(name: string): void;
  /** It violates its requirement, and only what that entails. */
  expectBad(name: string): void;
}

/** Which requirements a session violates, and which it exercises. */
interface Judged {
  readonly violated: readonly string[];
  readonly exercised: readonly string[];
}

/** Finds the sessions of a role. */
export function sessionsOf<V>({ folder, named = /./, rows, judging }: Place<V>): Sessions {
  const path = join(packageRoot(), 'fixtures', folder);
  const names = readdirSync(path).filter((name) => named.test(name));
  const judge = (name: string): Judged => judgeSession(judging, path, name);
  return {
    names,
    good: names.filter((name) => name.includes('.good')),
    bad: names.filter((name) => name.includes('.bad')),
    lacking: (ids, role = '') => ids.filter((id) => pairOf(id + role).some((name) => !names.includes(name))),
    judge,
    expectGood: (name) => {
      const { violated, exercised } = judge(name);
      expect(violated).toEqual([]);
      expect(exercised).toContain(rowOf(name));
    },
    expectBad: (name) => {
      const id = rowOf(name);
      const entailed = rows.find((row) => row.id === id)?.entails?.map((e) => e.id) ?? [];
      const { violated } = judge(name);
      expect(violated).toContain(id);
      expect(violated.filter((v) => v !== id && !entailed.includes(v))).toEqual([]);
    },
  };
}

const rowOf = (name: string): string => name.slice(0, name.indexOf('.'));

const pairOf = (stem: string): readonly string[] => [`${stem}.good.jsonl`, `${stem}.bad.jsonl`];

function judgeSession<V>(judging: Judging<V>, path: string, name: string): Judged {
  const [first = '', ...lines] = readFileSync(join(path, name), 'utf8').trimEnd().split('\n');
  parseHeader(first, `${name}:1`);
  const judge = new Judge(judging);
  let before: TraceEvent | undefined;
  lines.forEach((line, i) => {
    before = parseEvent(line, `${name}:${i + 2}`, before);
    judge.step(before);
  });
  const found = [...judge.end()];
  return {
    violated: found.flatMap(([id, f]) => (f.violations.length > 0 ? [id] : [])),
    exercised: found.flatMap(([id, f]) => (f.exercised > 0 ? [id] : [])),
  };
}
