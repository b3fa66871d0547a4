/**
 * The law of every suite: its hand-written sessions are judged as their names say, no rule changes the view, and the
 * self-test finds nothing wrong. Each role has a `suite.test.ts` that holds its suite to it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../src/kit/base/index.ts';
import { Judge, Streams } from '../src/kit/judge/index.ts';
import type { Judging } from '../src/kit/judge/index.ts';
import { scenariosOf, selftest, silentTarget, simulate, suiteRows } from '../src/kit/suite/index.ts';
import type { Suite, VectorMaker } from '../src/kit/suite/index.ts';
import {
  readVectors,
  seedOf,
  textOfReadme,
  vectorDifferences,
  vectorFolder,
  verifyVectors,
} from '../src/kit/spec/index.ts';
import type { Requirement } from '../src/kit/spec/index.ts';
import { hangPoints, impatience } from './patience.test-helper.ts';
import { onBusyMachine, unchanging } from './sessions/alike.test-helper.ts';
import { sessionsOf, strangeRows } from './sessions.test-helper.ts';
import type { Session, SessionKind } from './sessions.test-helper.ts';

/** The rows of a suite's own list that can be broken. The suites of its further lists prove the rows of those. */
function owedRows({ furtherLists = [] }: Suite, rows: readonly Requirement[]): readonly string[] {
  const elsewhere = new Set(furtherLists.flatMap((list) => list.rows));
  const owed = rows.filter(
    ({ id, level, excluded }) => level !== 'MAY' && excluded === undefined && !elsewhere.has(id),
  );
  return owed.map(({ id }) => id);
}

interface Judged {
  readonly violated: readonly string[];
  readonly exercised: readonly string[];
  readonly unknowable: readonly string[];
}

function judge<V>(judging: Judging<V>, events: readonly TraceEvent[]): Judged {
  const judged = new Judge(judging);
  for (const event of events) judged.step(event);
  const found = [...judged.end()];
  return {
    violated: found.flatMap(([id, f]) => (f.violations.length > 0 ? [id] : [])),
    exercised: found.flatMap(([id, f]) => (f.exercised > 0 ? [id] : [])),
    unknowable: found.flatMap(([id, f]) => (f.unknowable === undefined ? [] : [id])),
  };
}

/** What is special about a suite. */
interface Particulars {
  /** A row that a target violates which takes what comes and says nothing. */
  readonly silence?: string;
  /** Scenarios that take a request back before its answer is due. A target that hangs then owes nothing more. */
  readonly withdrawing?: readonly string[];
}

/** A suite with more scenarios plays fewer of them again. */
const many = 150;

/** A suite with more scenarios plays them once here, and again in `wireproof selftest`. */
const most = 500;

export function holdToLaw<V>(suite: Suite<V>, { silence, withdrawing = [] }: Particulars = {}): void {
  const { requirements } = suiteRows(suite);
  const sessions = sessionsOf(suite.protocol).get(suite.id) ?? [];
  handWritten(suite, requirements, sessions);
  unmovedViews(suite, sessions);

  describe(`self-test of ${suite.id}`, () => {
    const scenarios = scenariosOf(suite);

    // `wireproof selftest` plays every mutant in every scenario, in .ci/run.
    it('finds no false alarm and no survivor', { timeout: 300_000 }, () => {
      const result = selftest(suite, { requirements, scenarios, seed: '1', quick: true });
      expect(result.failures).toEqual([]);
      expect(result.mutants.length).toBe(suite.mutants().length);
      const killed = new Set(result.mutants.filter((mutant) => mutant.killed).map(({ breaks }) => breaks));
      expect(owedRows(suite, requirements).filter((id) => !killed.has(id))).toEqual([]);
      expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
    });

    // A suite with many scenarios shows as much in one run as others in three.
    it.each(scenarios.length > most ? [] : scenarios.length > many ? ['2'] : ['2', '3', '4'])(
      'finds nothing wrong with the reference in run %s',
      { timeout: 60_000 },
      (seed) => {
        const only = { mutants: () => false, lawful: () => false };
        const { failures } = selftest(suite, { requirements, scenarios, seed, ...only });
        expect(failures).toEqual([]);
      },
    );

    // Each scenario, or each third one of many, with one of the three points; patience.thorough.test.ts plays all of them.
    it('no scenario gives up before a requirement has lost its patience', { timeout: 120_000 }, () => {
      const played = scenarios.length > many ? scenarios.filter((_, i) => i % 3 === 0) : scenarios;
      const found = played.flatMap((scenario, i) => {
        const point = hangPoints[i % hangPoints.length] ?? 'middle';
        return withdrawing.includes(scenario.name) ? [] : (impatience(suite, scenario, point) ?? []);
      });
      expect(found).toEqual([]);
    });

    it.skipIf(silence === undefined)(
      'a target that says nothing violates something',
      { timeout: 60_000 },
      () => {
        const found = scenarios.map(
          (scenario) => simulate({ suite, scenario, target: silentTarget, seed: '1' }).found,
        );
        expect(found.some((of) => (of.get(silence ?? '')?.violations.length ?? 0) > 0)).toBe(true);
      },
    );
  });
}

/** Holds the golden vectors of a protocol to what its maker makes of the case tables and the seed. */
export function holdVectorsToMaker(protocol: string, { files, referenceFault }: VectorMaker): void {
  it(`the vectors of ${protocol} are what its maker makes, and the reference answers them`, () => {
    const folder = vectorFolder(protocol);
    expect(verifyVectors(folder)).toEqual([]);
    const vectors = readVectors(protocol);
    expect(vectorDifferences(folder, files(seedOf(vectors[0]?.vectors.generator ?? '')))).toEqual([]);
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(textOfReadme(vectors));
    const groups = vectors.flatMap((file) => file.vectors.groups);
    expect(
      groups.flatMap(({ op, tests }) => tests.flatMap((test) => referenceFault(op, test) ?? [])),
    ).toEqual([]);
  });
}

function handWritten<V>(
  suite: Suite<V>,
  requirements: readonly Requirement[],
  sessions: readonly Session[],
): void {
  describe(`hand-written sessions of ${suite.id}`, () => {
    const kinds =
      /^[A-Z]+-[A-Z]?\d{2,3}(?:\.[a-z]+)?\.(?:good|bad|unmet|unknowable)(?:-(?:[2-9]|1\d))?\.jsonl$/;
    const rows = new Map(requirements.map((row) => [row.id, row]));
    const of = (wanted: SessionKind): readonly Session[] => sessions.filter(({ kind }) => kind === wanted);

    it('are there for every row that can be broken, a good one and a bad one', () => {
      const written = (id: string): boolean =>
        ['good', 'bad'].every((kind) =>
          sessions.some(({ name, row }) => row === id && name.endsWith(`.${kind}.jsonl`)),
        );
      expect(owedRows(suite, requirements).filter((id) => !written(id))).toEqual([]);
    });

    it('are of rows of the suite', () => {
      const files = sessions.filter(({ name }) => !name.includes(' '));
      expect(files.filter(({ name }) => !kinds.test(name))).toEqual([]);
      expect(strangeRows(suite.id, sessions, new Set(rows.keys()))).toEqual([]);
    });

    it.each(of('good'))('$name exercises its requirement, and violates nothing', ({ row, events }) => {
      const { violated, exercised, unknowable } = judge(suite.judging, events);
      expect(violated).toEqual([]);
      expect(exercised).toContain(row);
      expect(unknowable).not.toContain(row);
    });

    it.each(of('unknowable'))(
      '$name cannot be judged by its requirement, and violates nothing',
      ({ row, events }) => {
        const { violated, unknowable } = judge(suite.judging, events);
        expect(violated).toEqual([]);
        expect(unknowable).toContain(row);
      },
    );

    it.each(Object.entries(unchanging))('are judged alike %s', (_, change) => {
      for (const { name, events } of sessions.filter(({ events }) => events.length <= mostLookedAt))
        expect([name, judge(suite.judging, change(events))]).toEqual([name, judge(suite.judging, events)]);
    });

    it.each(Object.entries(onBusyMachine))('blame no target for a machine that is busy %s', (_, held) => {
      const good = of('good').filter(
        ({ name, events }) => !name.includes(ownClock) && events.length <= mostLookedAt,
      );
      const blamed = good.flatMap(({ name, events }) => {
        const { violated } = judge(suite.judging, held(events));
        return violated.map((row) => `${name}: ${row}`);
      });
      expect(blamed).toEqual([]);
    });

    // The clause of the requirement only seems to be met. A rule that passed it would pass what it did not see.
    it.each(of('unmet'))(
      '$name does not exercise its requirement, and violates nothing',
      ({ row, events }) => {
        const { violated, exercised, unknowable } = judge(suite.judging, events);
        expect(violated).toEqual([]);
        expect(exercised).not.toContain(row);
        expect(unknowable).not.toContain(row);
      },
    );

    it.each(of('bad'))('$name violates its requirement, and only what that entails', ({ row, events }) => {
      const entailed = rows.get(row)?.entails?.map(({ id }) => id) ?? [];
      const { violated } = judge(suite.judging, events);
      expect(violated).toContain(row);
      expect(violated.filter((id) => id !== row && !entailed.includes(id))).toEqual([]);
    });
  });
}

/** The names of sessions whose times are those of the target's own clock. The load of a machine does not change them. */
const ownClock = '.live.';

/** The most events of a session that are looked at several times: longer sessions repeat the same events. */
const mostLookedAt = 200;

/** Rules only read: whatever a view holds is the same before and after they looked at an event. */
function unmovedViews<V>({ id, judging }: Suite<V>, sessions: readonly Session[]): void {
  it(`no rule of ${id} changes the view`, () => {
    for (const { name, events } of sessions) {
      let before = '';
      const judged = new Judge<V>({
        ...judging,
        extraTopicsOf(event, view) {
          before = fingerprint(view);
          return judging.extraTopicsOf?.(event, view) ?? '';
        },
        view: {
          ...judging.view,
          step(view, event) {
            // No rule is asked about the mark of a busy machine.
            const isAsked = event.data['busy'] === undefined;
            if (isAsked && fingerprint(view) !== before)
              expect.fail(`${name}: event ${event.seq} moved the view`);
            judging.view.step(view, event);
          },
        },
      });
      for (const event of events.slice(0, mostLookedAt)) judged.step(event);
      before = fingerprint(judged.view);
      judged.end();
      expect(fingerprint(judged.view) === before, `${name}: the end of the trace moved the view`).toBe(true);
    }
  });
}

/** All that can be reached from a value, as text: equal if nothing was changed. */
function fingerprint(value: unknown): string {
  const numbers = new Map<object, number>();
  const parts: string[] = [];
  const put = (one: unknown): void => {
    if (typeof one !== 'object' || one === null)
      return void parts.push(typeof one === 'string' ? one : String(one));
    const known = numbers.get(one);
    if (known !== undefined) return void parts.push(`#${known}`);
    numbers.set(one, numbers.size);
    if (one instanceof Streams || one instanceof Set) return [...one.values()].forEach(put);
    for (const [key, inner] of one instanceof Map ? one : Object.entries(one)) {
      put(key);
      put(inner);
    }
    parts.push('.');
  };
  put(value);
  return parts.join(' ');
}
