/** The targets of a check on a plain carrier: each scenario has a program of its own, or a connection where it runs already. */
import { waitsOf } from '../scenario/index.ts';
import type { CarrierTargetKind } from '../suite/index.ts';
import { turns } from '../transport/index.ts';
import { CarrierTarget } from './carrier-target.ts';
import type { CheckRun } from './check-run.ts';
import type { Targets } from './target.ts';

/** How long a target that is started by hand is awaited: the first time, and to come back (ms). */
const byHand = { first: 3_600_000, again: 60_000 } as const;

/** See the file's head. */
export function carrierTargets(run: CheckRun, kind: CarrierTargetKind<unknown>): Targets<CarrierTarget> {
  const { options, session } = run;
  const { target, suite, drive, named, timeouts } = options;
  const { probe, hello } = kind;
  const carrier = target.carrier ?? kind.carriers[0] ?? 'stdio';
  const handshake = run.time('handshake', 5000);
  const inTurn = turns();
  const shown = new Set<string>();
  let first = true;
  return {
    opening: options.scenarios.find(
      ({ name, needs }) =>
        name === (hello?.scenario ?? probe?.scenario) && needs.carrier?.includes(carrier) !== false,
    ),
    jobs: target.kind === 'command' ? options.jobs : 1,
    /** Features that are read off the wire show later: until then each counts as claimed. */
    async prepare() {
      run.claims = { ...run.claims, carrier, ...(named === undefined ? {} : { named }) };
      const advertised = suite.features.filter((feature) => feature.advertised).map(({ name }) => name);
      run.assume(probe === undefined ? kind.drive : drive === 'auto' ? 'passive' : drive, advertised);
    },
    make(scenario) {
      const waiting = first ? byHand.first : byHand.again;
      const listening = first ? options.listening : () => {};
      first = false;
      const patience = target.kind === 'listen' ? waiting : handshake;
      const about = { kind, carrier, scenario, session, inTurn, handshake, patience, listening, shown };
      return new CarrierTarget({ ...options, ...about });
    },
    own: () => true,
    /** Takes whether the target obeys directives, and what it says of itself. */
    async learn({ session: { judge } }) {
      if (probe !== undefined && drive === 'auto')
        run.claims = { ...run.claims, drive: run.found(probe.obeys(judge.view)) };
      const said = hello?.of(judge.view);
      if (hello === undefined || said === undefined) return;
      // A testee that names no features may not know of them.
      if (said.features.length > 0) run.assume(run.claims.drive, said.features);
      run.claims = { ...run.claims, ops: new Set(said.ops), virtualTime: said.virtual_time };
      run.untestable = hello.lacking(said);
    },
    /** The slowest come first, so that the check takes little longer than they do. */
    rank: ({ steps }) => -waitsOf(steps, timeouts),
    conclude: () => run.claim(run.claims.drive, [...shown]),
  };
}
