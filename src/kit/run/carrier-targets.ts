/** The targets of a check on a plain carrier. Each scenario has its own program, or its own connection to a running one. */
import type { Scenario } from '../base/index.ts';
import { waitingTime } from '../scenario/index.ts';
import type { CarrierTargetKind } from '../suite/index.ts';
import { turns } from '../transport/index.ts';
import { CarrierTarget } from './carrier-target.ts';
import type { CheckRun } from './check-run.ts';
import { SharedProcess } from './shared-process.ts';
import type { Targets } from './target.ts';

/** How long the kit waits for a target that is started by hand: for the first time, and again (ms). */
const manualStartTimeouts = { first: 3_600_000, again: 60_000 } as const;

/** The most scenarios that share a process. */
const sharedAtMost = 32;

/** Whether a scenario can be played beside others in one process. */
const sharesProcess = ({ alone, fresh, last }: Scenario): boolean => !alone && !fresh && !last;
/** The most notes of a check. */
const notesAtMost = 5;

/** See the file's head. */
export function carrierTargets(run: CheckRun, kind: CarrierTargetKind<unknown>): Targets<CarrierTarget> {
  const { options, makeSession } = run;
  const { target, suite, drive, named, timeouts } = options;
  const { probe, hello } = kind;
  const carrier = target.carrier ?? kind.carriers[0] ?? 'stdio';
  const handshake = run.time('handshake', 5000);
  const inTurn = turns();
  const shown = new Set<string>();
  /** Notes that a program ended with an error. Each text once, and few of them. */
  const note = (text: string): void => {
    if (run.notes.length < notesAtMost && !run.notes.includes(text)) run.notes.push(text);
  };
  let first = true;
  let shared: SharedProcess | undefined;
  let jobs = target.kind === 'command' ? options.jobs : 1;
  return {
    opening: options.scenarios.find(
      ({ name, needs }) =>
        name === (hello?.scenario ?? probe?.scenario) && needs.carrier?.includes(carrier) !== false,
    ),
    get jobs() {
      return jobs;
    },
    /** Targets show advertised features later. Until then, each of them counts as claimed. */
    async prepare() {
      run.claims = { ...run.claims, carrier, ...(named === undefined ? {} : { named }) };
      const advertised = suite.features.filter((feature) => feature.advertised).map(({ name }) => name);
      run.assume(probe === undefined ? kind.drive : drive === 'auto' ? 'passive' : drive, advertised);
    },
    make(scenario) {
      const waiting = first ? manualStartTimeouts.first : manualStartTimeouts.again;
      const listening = first ? options.listening : () => {};
      first = false;
      const patience = target.kind === 'listen' ? waiting : handshake;
      const about = {
        kind,
        carrier,
        scenario,
        makeSession,
        inTurn,
        handshake,
        patience,
        listening,
        shown,
        note,
        shared: sharesProcess(scenario) ? shared : undefined,
      };
      return new CarrierTarget({ ...options, ...about });
    },
    hasOwnTarget: () => true,
    /** Notes whether the target obeys directives, and reads its self-description. */
    async learn({ session: { judge } }) {
      if (probe !== undefined && drive === 'auto')
        run.claims = { ...run.claims, drive: run.driveFound(probe.obeys(judge.view)) };
      const said = hello?.of(judge.view);
      if (hello === undefined || said === undefined) return;
      // A testee that lists no features may not know the list.
      if (said.features.length > 0) run.assume(run.claims.drive, said.features);
      run.claims = { ...run.claims, ops: new Set(said.ops), virtualTime: said.virtual_time };
      run.untestable = hello.untestableRows(said);
      const { concurrent = 1 } = said;
      if (concurrent < 2 || carrier !== 'stdio' || target.kind !== 'command') return;
      jobs = Math.min(concurrent, sharedAtMost);
      shared = new SharedProcess({
        target,
        framing: kind.framing,
        maxReceive: options.maxReceive,
        patience: handshake,
      });
    },
    stop: async () => shared?.close(),
    /** The slowest scenarios come first, so that the check ends soon after them. */
    rank: ({ steps }) => -waitingTime(steps, timeouts),
    conclude: () => run.claim(run.claims.drive, [...shown]),
  };
}
