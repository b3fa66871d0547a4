/** The targets of a check on a plain carrier: each scenario has a program of its own, or a connection where it runs already. */
import type { Scenario } from '../base/index.ts';
import { waitsOf } from '../scenario/index.ts';
import type { Carrier, CarrierTargetKind } from '../suite/index.ts';
import { turns } from '../transport/index.ts';
import { CarrierTarget } from './carrier-target.ts';
import type { CheckRun } from './check-run.ts';
import type { Targets } from './target.ts';

/** How long a target that is started by hand is awaited: the first time, and to come back (ms). */
const byHand = { first: 3_600_000, again: 60_000 } as const;

/** See the file's head. */
export class CarrierTargets implements Targets<CarrierTarget> {
  readonly opening: Scenario | undefined;
  readonly jobs: number;
  readonly #run: CheckRun;
  readonly #kind: CarrierTargetKind<unknown>;
  readonly #carrier: Carrier;
  /** The features that targets have shown. */
  readonly #shown = new Set<string>();
  readonly #inTurn = turns();
  #made = 0;

  constructor(run: CheckRun, kind: CarrierTargetKind<unknown>) {
    const { scenarios, target, jobs } = run.options;
    const name = kind.hello?.scenario ?? kind.probe?.scenario;
    this.#run = run;
    this.#kind = kind;
    this.#carrier = target.carrier ?? kind.carriers[0] ?? 'stdio';
    this.opening = scenarios.find(
      (scenario) => scenario.name === name && scenario.needs.carrier?.includes(this.#carrier) !== false,
    );
    this.jobs = target.kind === 'command' ? jobs : 1;
  }

  /** Features that are read off the wire show later: until then each counts as claimed. */
  prepare(): Promise<void> {
    const { suite, drive, named } = this.#run.options;
    const auto = drive === 'auto' ? 'passive' : drive;
    this.#run.claims = {
      ...this.#run.claims,
      carrier: this.#carrier,
      ...(named === undefined ? {} : { named }),
    };
    this.#run.assume(
      this.#kind.probe === undefined ? this.#kind.drive : auto,
      suite.features.filter(({ advertised }) => advertised).map((feature) => feature.name),
    );
    return Promise.resolve();
  }

  make(): CarrierTarget {
    const { target, listening } = this.#run.options;
    const first = this.#made++ === 0;
    const handshake = this.#run.time('handshake', 5000);
    return new CarrierTarget({
      ...this.#run.options,
      kind: this.#kind,
      carrier: this.#carrier,
      session: this.#run.session,
      inTurn: this.#inTurn,
      handshake,
      patience: target.kind !== 'listen' ? handshake : first ? byHand.first : byHand.again,
      listening: first ? listening : () => {},
      shown: this.#shown,
    });
  }

  own(): boolean {
    return true;
  }

  /** Takes whether the target obeys directives, and what it says of itself. */
  learn({ session }: CarrierTarget): Promise<void> {
    const run = this.#run;
    const { probe, hello } = this.#kind;
    const { view } = session.judge;
    if (probe !== undefined && run.options.drive === 'auto')
      run.claims = { ...run.claims, drive: run.found(probe.obeys(view)) };
    const said = hello?.of(view);
    if (hello === undefined || said === undefined) return Promise.resolve();
    // A testee that names no features may not know of them.
    if (said.features.length > 0) run.assume(run.claims.drive, said.features);
    run.claims = { ...run.claims, ops: new Set(said.ops), virtualTime: said.virtual_time };
    run.untestable = hello.lacking(said);
    return Promise.resolve();
  }

  /** The slowest come first, so that the check takes little longer than they do. */
  rank({ steps }: Scenario): number {
    return -waitsOf(steps, this.#run.options.timeouts);
  }

  conclude(): void {
    this.#run.claim(this.#run.claims.drive, [...this.#shown]);
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
