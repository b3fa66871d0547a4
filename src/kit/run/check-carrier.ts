/**
 * Checks a target that meets the kit on a plain carrier: finds out how it can be driven where there is a choice, and
 * plays every scenario that fits, several side by side where the kit starts the target.
 */
import { WireproofError } from '../base/index.ts';
import type { Scenario } from '../base/index.ts';
import { turns } from '../transport/index.ts';
import { seededRandom } from '../world/index.ts';
import { TargetConnector } from './target-connector.ts';
import type { CheckRun } from './check-run.ts';
import { CarrierTarget } from './carrier-target.ts';
import { claimedFeatures, waitsOf } from '../scenario/index.ts';
import { absent } from './dialing-target.ts';
import type { Carrier, Meeting } from '../suite/index.ts';

/** How long a target that is started by hand is awaited: the first time, and to come back (ms). */
const byHand = { first: 3_600_000, again: 60_000 } as const;

/** See the file's head. */
export class MeetingCheck {
  readonly #book: CheckRun;
  readonly #meeting: Meeting<unknown>;
  readonly #carrier: Carrier;
  readonly #playing = new Set<CarrierTarget<unknown>>();
  readonly #shown = new Set<string>();
  readonly #starts = turns();
  #lanes = 0;

  constructor(book: CheckRun, meeting: Meeting<unknown>) {
    this.#book = book;
    this.#meeting = meeting;
    this.#carrier = book.options.target.carrier ?? meeting.carriers[0] ?? 'stdio';
  }

  /** Runs it to its end, or to where it is interrupted. */
  async run(): Promise<void> {
    const { signal, scenarios, drive } = this.#book.options;
    const stop = (): void => {
      for (const lane of this.#playing) lane.interrupt();
    };
    signal.addEventListener('abort', stop, { once: true });
    const { probe } = this.#meeting;
    const first = scenarios.find(({ name }) => name === probe?.scenario);
    this.#claim(probe === undefined ? this.#meeting.drive : drive === 'auto' ? 'passive' : drive);
    if (first !== undefined) await this.#probe(first);
    if (this.#book.absent === undefined) {
      this.#book.plan(probe?.scenario, ({ steps }) => -waitsOf(steps, this.#book.options.timeouts));
      await this.#playAll();
    }
    signal.removeEventListener('abort', stop);
  }

  /** What is read off the wire shows only when all is over: until then it counts as there. */
  #claim(drive: string): void {
    const { suite, stated } = this.#book.options;
    const advertised = suite.features.filter((f) => f.advertised).map(({ name }) => name);
    const features = claimedFeatures(suite.features, advertised, stated);
    const { named } = this.#book.options;
    const claims = { drive, features, carrier: this.#carrier };
    this.#book.claims = named === undefined ? claims : { ...claims, named };
  }

  /** Finds out whether the target obeys directives. */
  async #probe(scenario: Scenario): Promise<void> {
    const { drive, target } = this.#book.options;
    const lane = await this.#play(scenario, target.kind === 'listen' ? byHand.first : undefined);
    if (lane === undefined || drive !== 'auto') return;
    const obeys = this.#meeting.probe?.obeys(lane.lane.judge.view) === true;
    this.#book.claims = { ...this.#book.claims, drive: obeys ? 'directive' : 'passive' };
    this.#book.notes.push(
      obeys
        ? 'directive drive: the target obeyed a directive'
        : 'passive drive: the target did not obey a directive (see wireproof explain drive); --drive passive takes this at its word',
    );
  }

  async #playAll(): Promise<void> {
    const { target, jobs } = this.#book.options;
    const workers = target.kind === 'command' ? Math.min(jobs, this.#book.queue.length) : 1;
    await Promise.all(Array.from({ length: workers }, () => this.#worker()));
    this.#book.drop();
    this.#book.claim(this.#book.claims.drive, [...this.#shown]);
  }

  async #worker(): Promise<void> {
    while (!this.#book.stopped()) {
      const scenario = this.#book.queue.shift();
      if (scenario === undefined) return;
      await this.#play(scenario, undefined);
      if (this.#book.absent !== undefined) return;
    }
  }

  #lane(patience: number): CarrierTarget<unknown> {
    const { options, claims, only } = this.#book;
    const lane = new CarrierTarget({
      ...options,
      meeting: this.#meeting,
      carrier: this.#carrier,
      random: seededRandom(`${options.seed} ${this.#lanes++}`),
      drive: claims.drive,
      only,
      patience,
      ...(options.target.kind === 'listen' && this.#lanes === 1 ? {} : { listening: () => {} }),
    });
    lane.lane.judge.onViolation = () => (this.#book.broken = true);
    this.#playing.add(lane);
    return lane;
  }

  /** Plays one scenario. @returns its lane, when the target came */
  async #play(scenario: Scenario, patience: number | undefined): Promise<CarrierTarget<unknown> | undefined> {
    const { options } = this.#book;
    const handshake = (options.timeouts['handshake'] ?? 5000) * options.timeoutScale;
    const began = performance.now();
    const lane = this.#lane(patience ?? (options.target.kind === 'listen' ? byHand.again : handshake));
    const came = await lane
      .play(scenario, this.#starts)
      .catch((error: unknown) => ({ absent: TargetConnector.why(error) }));
    // One that had said nothing when it ended was never there; later, when others have played, it is a scenario's matter.
    const gone = this.#book.traces.length === 0 ? lane.unheard() : undefined;
    const played = gone === undefined ? came : { absent: gone };
    const ms =
      options.signal.aborted || 'absent' in played
        ? 0
        : (options.timeouts['late'] ?? 300) * options.timeoutScale;
    const found = await lane.close(ms);
    this.#playing.delete(lane);
    if ('absent' in played) {
      this.#unmet(scenario, played.absent, lane.output());
      return undefined;
    }
    this.#book.ended(scenario, played, performance.now() - began);
    for (const feature of this.#meeting.advertised(lane.lane.judge.view)) this.#shown.add(feature);
    const { events } = lane.lane;
    this.#book.heard(played, events);
    const trace = { name: scenario.name, events, found, started: lane.started, scenarios: [scenario.name] };
    this.#book.recorded(trace, lane.output());
    return lane;
  }

  /** The target did not come: at the first scenario there is none, later it is lost. */
  #unmet(scenario: Scenario, why: string, output: readonly string[]): void {
    const { signal, target } = this.#book.options;
    this.#book.ended(scenario, { outcome: 'ended-early', reason: why }, 0);
    if (this.#book.traces.length > 0 || signal.aborted) return;
    this.#book.unready ??= why;
    this.#book.absent ??=
      target.kind === 'command' ? absent(why, output) : new WireproofError('environment', why);
  }
}
