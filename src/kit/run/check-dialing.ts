/**
 * Checks a target that dials: finds out how it can be driven, and plays every scenario that fits on several lanes
 * side by side.
 */
import { WireproofError } from '../base/index.ts';
import type { Scenario } from '../base/index.ts';
import { seededRandom } from '../world/index.ts';
import type { CheckRun } from './check-run.ts';
import { needsOwnTarget } from '../scenario/index.ts';
import type { Played } from '../scenario/index.ts';
import { DialingTarget, absent } from './dialing-target.ts';
import type { Dialling } from '../suite/index.ts';

/** See the file's head. */
export class DiallingCheck {
  readonly #book: CheckRun;
  readonly #dialling: Dialling<unknown>;
  readonly #open = new Set<DialingTarget<unknown>>();
  #lanes = 0;
  #shared = 0;

  constructor(book: CheckRun, dialling: Dialling<unknown>) {
    this.#book = book;
    this.#dialling = dialling;
  }

  /** Runs it to its end, or to where it is interrupted. */
  async run(): Promise<void> {
    const { signal } = this.#book.options;
    const stop = (): void => {
      for (const lane of this.#open) lane.cancelWait();
      for (const lane of this.#open) lane.lane.abort('interrupted');
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      const first = this.#lane('passive');
      if (await this.#opened(first)) await this.#from(first);
    } finally {
      signal.removeEventListener('abort', stop);
      await Promise.all([...this.#open].map((lane) => lane.stop()));
    }
  }

  async #from(first: DialingTarget<unknown>): Promise<void> {
    const book = this.#book;
    const { target, signal, drive, listening } = book.options;
    if (target.kind === 'listen') listening(first.port);
    const ready = await first.ready();
    if (ready.is === 'absent' && !signal.aborted) {
      book.unready = ready.why;
      book.absent = absent(ready.why, first.output());
      await this.#retire(first, 'start', []);
    } else if (ready.is === 'ready') {
      await this.#probe(first);
      this.#plan();
      await this.#playAll(first);
    } else {
      book.unready = signal.aborted
        ? 'interrupted before the target was ready'
        : 'the target opened a stream, and never got ready for work';
      this.#claim(first, drive === 'auto' ? 'passive' : drive);
      await this.#retire(first, 'start', []);
    }
  }

  /** Opens the first lane; a target that cannot be started is reported, like one that never comes. */
  async #opened(lane: DialingTarget<unknown>): Promise<boolean> {
    try {
      await lane.open(this.#plainPeers());
      return true;
    } catch (error) {
      if (!(error instanceof WireproofError) || error.code !== 'environment') throw error;
      this.#book.unready = error.message;
      this.#book.absent = error;
      return false;
    }
  }

  #lane(drive: string): DialingTarget<unknown> {
    const { seed, ...options } = this.#book.options;
    const lane = new DialingTarget({
      ...options,
      dialling: this.#dialling,
      random: seededRandom(`${seed} ${this.#lanes++}`),
      drive,
      only: this.#book.only,
    });
    lane.lane.judge.onViolation = () => (this.#book.broken = true);
    this.#open.add(lane);
    return lane;
  }

  /** The peers of the scenario that asks for nothing special. */
  #plainPeers(): Scenario['peers'] {
    const { probe: name } = this.#dialling;
    const probe = this.#book.options.scenarios.find((scenario) => scenario.name === name);
    if (probe === undefined) throw new WireproofError('internal', `no scenario ${name}`);
    return probe.peers;
  }

  /** Finds out which drive the target takes. */
  async #probe(lane: DialingTarget<unknown>): Promise<void> {
    const { drive, scenarios } = this.#book.options;
    let found = drive;
    const probe = scenarios.find(({ name }) => name === this.#dialling.probe);
    if (drive === 'auto' && probe !== undefined) {
      await lane.play(probe);
      found = this.#dialling.obeys(lane.lane.judge.view) ? 'directive' : 'passive';
      this.#book.notes.push(
        found === 'directive'
          ? 'directive drive: the target obeyed a directive'
          : 'passive drive: the target did not obey a directive (see wireproof explain drive); --drive passive takes this at its word',
      );
    }
    lane.lane.markDrive(found);
    this.#claim(lane, found);
  }

  #claim(lane: DialingTarget<unknown>, drive: string): void {
    this.#book.claim(drive, this.#dialling.advertised(lane.lane.judge.view) ?? []);
  }

  #plan(): void {
    // Those that need a target of their own take longest, so they begin; by hand there is one target, so they end.
    const byHand = this.#book.options.target.kind === 'listen';
    const rank = (s: Scenario): number => (s.last ? 2 : needsOwnTarget(s) ? 1 : 0);
    this.#book.plan(this.#dialling.probe, (s) => (byHand ? rank(s) : -rank(s)));
  }

  async #playAll(first: DialingTarget<unknown>): Promise<void> {
    const { target, jobs } = this.#book.options;
    if (target.kind === 'listen') await this.#worker(first, true);
    else {
      const others = Array.from({ length: Math.min(jobs - 1, this.#book.queue.length) }, () =>
        this.#worker(undefined, false),
      );
      await Promise.all([this.#worker(first, false), ...others]);
    }
    this.#book.drop();
  }

  /** Plays scenarios one after another, on one lane as long as it is fit. */
  async #worker(first: DialingTarget<unknown> | undefined, byHand: boolean): Promise<void> {
    const book = this.#book;
    let lane = first;
    let played: string[] = [this.#dialling.probe];
    const retire = async (): Promise<void> => {
      if (lane !== undefined) await this.#retire(lane, `shared-${++this.#shared}`, played);
      lane = undefined;
      played = [];
    };
    while (!book.stopped()) {
      const scenario = book.queue.shift();
      if (scenario === undefined) break;
      if (byHand && lane !== undefined) {
        await this.#byHand(lane, scenario);
        played.push(scenario.name);
        continue;
      }
      if (needsOwnTarget(scenario)) {
        await this.#alone(scenario);
        continue;
      }
      if (lane !== undefined && !lane.fit()) await retire();
      lane ??= await this.#sharedLane();
      if (lane === undefined) {
        const reason = 'the target did not get ready again';
        book.ended(scenario, { outcome: 'ended-early', reason }, 0);
        continue;
      }
      played.push(scenario.name);
      await this.#play(lane, scenario);
    }
    await retire();
  }

  async #sharedLane(): Promise<DialingTarget<unknown> | undefined> {
    const lane = this.#lane(this.#book.claims.drive);
    await lane.open(this.#plainPeers());
    const ready = await lane.ready();
    if (ready.is === 'ready') return lane;
    await this.#retire(lane, `shared-${++this.#shared}`, []);
    return undefined;
  }

  async #play(lane: DialingTarget<unknown>, scenario: Scenario): Promise<void> {
    const began = performance.now();
    const played = await lane.play(scenario);
    this.#book.ended(scenario, played, performance.now() - began);
  }

  /** A scenario with a target of its own. */
  async #alone(scenario: Scenario): Promise<void> {
    const began = performance.now();
    const lane = this.#lane(this.#book.claims.drive);
    let playing: Promise<Played> | undefined;
    await lane.open(scenario.peers, scenario.fresh ? () => (playing = lane.play(scenario)) : undefined);
    const ready = scenario.fresh ? undefined : await lane.ready();
    const played: Played =
      ready === undefined || ready.is === 'ready'
        ? await (playing ?? lane.play(scenario))
        : {
            outcome: 'ended-early',
            reason: ready.is === 'absent' ? ready.why : 'the target did not get ready',
          };
    this.#book.ended(scenario, played, performance.now() - began);
    await this.#retire(lane, scenario.name, [scenario.name]);
  }

  /** By hand there is one target: a scenario with other peers sends it away, and waits for it to come back. */
  async #byHand(lane: DialingTarget<unknown>, scenario: Scenario): Promise<void> {
    const began = performance.now();
    if (!scenario.fresh && !lane.fit() && !(await lane.back())) {
      const reason = 'the target started by hand did not come back';
      this.#book.ended(scenario, { outcome: 'ended-early', reason }, 0);
      return;
    }
    if (scenario.fresh) lane.lane.setPeers(scenario.peers);
    const played = await lane.play(scenario);
    if (scenario.fresh) lane.lane.setPeers(this.#plainPeers());
    this.#book.ended(scenario, played, performance.now() - began);
  }

  async #retire(lane: DialingTarget<unknown>, name: string, scenarios: readonly string[]): Promise<void> {
    this.#open.delete(lane);
    const found = await (this.#book.options.signal.aborted ? lane.stop() : lane.close());
    const { events } = lane.lane;
    this.#book.recorded({ name, events, found, started: lane.started, scenarios }, lane.output());
  }
}
