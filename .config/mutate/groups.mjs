// The runs of a suite's tests, as traces: each group is one test with the traces that it judges.

/**
 * Plays a suite as its tests do. `onlySessions`: judges its hand-written sessions, and plays nothing.
 *
 * @returns groups {name, traces, faults}. `faults` tells from the judged traces whether the test fails.
 */
export function groupsOf(kit, suite, sessions, onlySessions) {
  const { requirements: rows } = kit.suiteRows(suite);
  const written = sessions.map((session) => sessionGroup(session, rows, Object.values(kit.unchanging)));
  if (onlySessions) return written;
  const scenarios = kit.scenariosOf(suite);
  const play = (target, chosen, drive) =>
    chosen.map((scenario) => {
      const options = { suite, scenario, target: target(scenario.reference), seed: '1', steps: 200_000 };
      const { events } = kit.simulate(drive === undefined ? options : { ...options, drive });
      return { scenario, events };
    });
  return [
    ...written,
    referenceGroup(play(suite.reference, scenarios)),
    silentGroup(play(() => kit.silentTarget, scenarios)),
    ...suite.mutants().map((mutant) => mutantGroup(mutant, rows, play, scenarios)),
    ...(suite.lawful?.() ?? []).map((peer) => lawfulGroup(kit, suite, peer, play, scenarios)),
  ];
}

/** Whether the verdicts of a session's kind are not there: as conformance/suite.test-helper.ts has it. */
export const sessionFails =
  (kind, row, entailed) =>
  ({ violated, exercised, unknowable }) => {
    if (kind === 'bad') return !violated.has(row) || [...violated].some((id) => !entailed.has(id));
    if (violated.size > 0 || unknowable.has(row) !== (kind === 'unknowable')) return true;
    return kind !== 'unknowable' && exercised.has(row) !== (kind === 'good');
  };

function sessionGroup({ name, row, kind, events }, rows, unchanging) {
  const entailed = closureOf(rows, row, 1);
  return {
    name,
    traces: [{ events }, ...unchanging.map((change) => ({ events: change(events) }))],
    fails: (judged) => judged.some(sessionFails(kind, row, entailed)),
  };
}

const referenceGroup = (traces) => ({
  name: 'reference',
  traces,
  fails: (judged) =>
    judged.some(
      ({ violated, exercised }, i) =>
        violated.size > 0 || traces[i].scenario.exercises.some((id) => !exercised.has(id)),
    ),
});

const silentGroup = (traces) => ({
  name: 'silent target',
  traces,
  fails(judged) {
    const violated = new Set(judged.flatMap((one) => [...one.violated]));
    return judged.some((one) => [...one.exercised].some((id) => !violated.has(id)));
  },
});

/** A mutant plays the scenarios that list its row, or all when it survives these. */
function mutantGroup({ id, breaks, make }, rows, play, scenarios) {
  const closure = closureOf(rows, breaks, Infinity);
  const listed = scenarios.filter(({ exercises }) => exercises.includes(breaks));
  const traces = play(make, listed);
  return {
    name: `mutant ${id}`,
    traces,
    more: () =>
      play(
        make,
        scenarios.filter((one) => !listed.includes(one)),
      ),
    fails: (judged) =>
      judged.every(({ violated }) => !violated.has(breaks)) ||
      judged.some(({ violated }) => [...violated].some((row) => !closure.has(row))),
  };
}

/** The traces of a lawful peer that a mutation judges: most peers differ from the reference in few places. */
const lawfulTraces = 40;

/** A lawful peer: nothing blames it, and it shows the rows that it showed with the rules as they are. */
function lawfulGroup(kit, suite, { id, lacks = [], drive, make }, play, scenarios) {
  const names = suite.features.map(({ name }) => name).filter((name) => !lacks.includes(name));
  const claims = { drive: drive ?? 'directive', features: new Set(names) };
  const fitting = scenarios.filter((scenario) => {
    const unmet = kit.unmetNeed(scenario, claims);
    return unmet === undefined || (unmet.because === 'drive' && drive === undefined);
  });
  let shown;
  return {
    name: `lawful peer ${id}`,
    most: lawfulTraces,
    traces: play(make, fitting, drive),
    fails(judged) {
      const unknowable = new Set(judged.flatMap((one) => [...one.unknowable]));
      const known = judged.flatMap((one) => [...one.exercised]).filter((row) => !unknowable.has(row));
      const exercised = new Set(known);
      shown ??= exercised;
      return (
        judged.some(({ violated }) => violated.size > 0) || [...shown].some((row) => !exercised.has(row))
      );
    },
  };
}

/** A row and the rows that it entails, in `depth` steps. */
export function closureOf(rows, id, depth) {
  const closure = new Map([[id, 0]]);
  for (const [reached, steps] of closure) {
    if (steps >= depth) continue;
    for (const entailed of rows.find((row) => row.id === reached)?.entails ?? [])
      if (!closure.has(entailed.id)) closure.set(entailed.id, steps + 1);
  }
  return closure;
}
