/** The targets of a check on a plain carrier. Each scenario has its own program, or its own connection to a running one. */
import type { Scenario } from '../base/index.ts';
import { waitingTime } from '../scenario/index.ts';
import type { CarrierTargetKind, Hello } from '../suite/index.ts';
import { turns } from '../transport/index.ts';
import { CarrierTarget } from './carrier-target.ts';
import type { CheckRun } from './check-run.ts';
import { helloNotes } from './run-notes.ts';
import { SharedProcess } from './shared-process.ts';
import type { Targets } from './target.ts';

/** How long the kit waits for a target that is started by hand: for the first time, and again (ms). */
const manualStartTimeouts = { first: 3_600_000, again: 60_000 } as const;

/** The most scenarios that share a process. */
const sharedAtMost = 32;

/** Whether a scenario can be played next to others in one process. */
const sharesProcess = ({ alone, fresh, last }: Scenario): boolean => !alone && !fresh && !last;

/** The most notes of a check. */
const notesAtMost = 5;

/** Notes that a program ended with an error: each text once, and few of them. */
const noter =
  ({ notes }: CheckRun): ((text: string) => void) =>
  (text) => {
    if (notes.length < notesAtMost && !notes.includes(text)) notes.push(text);
  };

/** A process that plays several scenarios at once; undefined for a target that cannot. */
function sharedProcess(run: CheckRun, kind: CarrierTargetKind<unknown>): SharedProcess | undefined {
  const { target, maxReceive } = run.options;
  const carrier = target.carrier ?? kind.carriers[0] ?? 'stdio';
  if (carrier !== 'stdio' || target.kind !== 'command') return undefined;
  return new SharedProcess({
    target,
    framing: kind.framing,
    maxReceive,
    patience: run.time('handshake', 5000),
  });
}

/** The scenario that opens a check: the self-description of the target, or its probe. */
const openingOf = (
  { options: { scenarios } }: CheckRun,
  { hello, probe }: CarrierTargetKind<unknown>,
  carrier: string,
): Scenario | undefined =>
  scenarios.find(
    ({ name, needs }) =>
      name === (hello?.scenario ?? probe?.scenario) &&
      needs.carrier?.some((one) => one === carrier) !== false,
  );

/** Says where the kit waits: once, or at each connection for a target that a person drives. */
function announcement(
  { options }: CheckRun,
  { instruction }: CarrierTargetKind<unknown>,
  { name }: Scenario,
  first: boolean,
): (port: number) => void {
  if (instruction === undefined) return (port) => void (first && options.listening(port, {}));
  return (port) => options.listening(port, { instruction: `${name}: ${instruction}` });
}

/** Claims what a self-description says, and notes what is odd about it. */
async function claimHello(run: CheckRun, said: Hello): Promise<void> {
  const { suite, otherFeatures = async () => [] } = run.options;
  run.notes.push(...(await helloNotes(suite, said, otherFeatures)));
  // A testee that lists no features may not know the list.
  if (said.features.length > 0) run.assume(run.claims.drive, said.features);
  run.claims = { ...run.claims, ops: new Set(said.ops), virtualTime: said.virtual_time };
}

/** Claims the features that the targets have shown. When they have shown none, the suite may not judge them. */
function conclude(
  run: CheckRun,
  { shown, notJudged }: { readonly [found in 'shown' | 'notJudged']: ReadonlySet<string> },
): void {
  run.claim(run.claims.drive, [...shown], run.options.selected?.scenarios !== undefined);
  const [reason] = notJudged;
  if (shown.size === 0 && reason !== undefined) run.excuseAll(reason);
}

export function carrierTargets(run: CheckRun, kind: CarrierTargetKind<unknown>): Targets<CarrierTarget> {
  const { options } = run;
  const { target, suite, drive, timeouts } = options;
  const { probe, hello } = kind;
  const carrier = target.carrier ?? kind.carriers[0] ?? 'stdio';
  const inTurn = turns();
  const found = { shown: new Set<string>(), notJudged: new Set<string>() };
  let first = true;
  let shared: SharedProcess | undefined;
  let jobs = target.kind === 'command' ? options.jobs : 1;
  return {
    opening: openingOf(run, kind, carrier),
    get jobs() {
      return jobs;
    },
    /** Targets show advertised features later. Until then, each of them counts as claimed. */
    async prepare() {
      run.claims = { ...run.claims, carrier };
      const advertised = suite.features.filter((feature) => feature.advertised).map(({ name }) => name);
      run.assume(probe === undefined ? kind.drive : drive === 'auto' ? 'passive' : drive, advertised);
    },
    make(scenario) {
      const waiting = first ? manualStartTimeouts.first : manualStartTimeouts.again;
      const announced = announcement(run, kind, scenario, first);
      first = false;
      return new CarrierTarget({
        run,
        kind,
        carrier,
        scenario,
        inTurn,
        patience: target.kind === 'listen' ? waiting : run.time('handshake', 5000),
        listening: announced,
        ...found,
        note: noter(run),
        shared: sharesProcess(scenario) ? shared : undefined,
      });
    },
    hasOwnTarget: () => true,
    /** Notes whether the target obeys directives, and reads its self-description. */
    async learn({ session: { judge } }) {
      if (probe !== undefined && drive === 'auto')
        run.claims = { ...run.claims, drive: run.driveFound(probe.obeys(judge.view)) };
      const said = hello?.of(judge.view);
      if (hello === undefined || said === undefined) return;
      await claimHello(run, said);
      run.untestable = hello.untestableRows(said);
      const { concurrent = 1 } = said;
      shared = concurrent < 2 ? undefined : sharedProcess(run, kind);
      if (shared !== undefined) jobs = Math.min(concurrent, sharedAtMost);
    },
    stop: async () => shared?.close(),
    /** The slowest scenarios come first, so that the check ends soon after them. */
    rank: ({ steps }) => -waitingTime(steps, timeouts),
    conclude: () => conclude(run, found),
  };
}
