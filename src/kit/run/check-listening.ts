/**
 * Checks a target that listens: the kit dials it as many peers and as its operator, a scenario at a time on each
 * of several targets side by side; one that is running already takes all of them.
 */
import { WireproofError } from '../base/index.ts';
import type { Scenario } from '../base/index.ts';
import { seededRandom } from '../world/index.ts';
import type { CheckRun } from './check-run.ts';
import { ListeningTarget } from './listening-target.ts';
import { needsOwnTarget, waitsOf } from '../scenario/index.ts';
import { absent } from './dialing-target.ts';
import { ServedTarget } from './served-target.ts';
import type { Listening } from '../suite/index.ts';

/** See the file's head. */
export class ListeningCheck {
  readonly #book: CheckRun;
  readonly #listening: Listening;
  readonly #targets = new Set<ServedTarget>();
  readonly #playing = new Set<ListeningTarget>();
  #lanes = 0;
  #names = 0;

  constructor(book: CheckRun, listening: Listening) {
    this.#book = book;
    this.#listening = listening;
  }

  /** Runs it to its end, or to where it is interrupted. */
  async run(): Promise<void> {
    const { signal, statement, target, drive } = this.#book.options;
    const { features } = await this.#listening.credentials(statement);
    const driver = drive === 'auto' ? this.#listening.choose(target, statement) : drive;
    // What the statement lacks for it is said before anything is started.
    const nowhere = { host: '127.0.0.1', port: 1, url: 'http://127.0.0.1:1' };
    await this.#listening.driver({ name: driver, place: nowhere, statement, next: () => 0 });
    const stop = (): void => {
      for (const { lane } of this.#playing) lane.abort('interrupted');
      for (const served of this.#targets) void served.stop();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      const first = await this.#started();
      if (first === undefined) return;
      this.#book.claim(driver, features);
      // The slowest begin, so that the run is not much longer than they are.
      this.#book.plan(undefined, ({ steps }) => -waitsOf(steps, this.#book.options.timeouts));
      await this.#playAll(first);
      this.#learn();
    } finally {
      signal.removeEventListener('abort', stop);
      await Promise.all([...this.#targets].map((served) => served.stop()));
    }
  }

  /** Adds the features that the target has shown. */
  #learn(): void {
    const { claims, traces } = this.#book;
    const shown = traces.flatMap(({ events }) => events.flatMap((e) => this.#listening.shown(e) ?? []));
    this.#book.claims = { ...claims, features: new Set([...claims.features, ...shown]) };
  }

  /** A target that listens; the first that cannot be had ends the check. */
  async #started(): Promise<ServedTarget | undefined> {
    const { target, timeouts, timeoutScale } = this.#book.options;
    const served = new ServedTarget(target, (timeouts['handshake'] ?? 5000) * timeoutScale);
    this.#targets.add(served);
    try {
      const why = await served.start();
      if (why === undefined) return served;
      await served.stop();
      const byUs = target.kind === 'command';
      this.#gone(byUs ? absent(why, served.output()) : new WireproofError('environment', why), why);
    } catch (error) {
      if (!(error instanceof WireproofError) || error.code !== 'environment') throw error;
      this.#gone(error, error.message);
    }
    return undefined;
  }

  #gone(error: WireproofError, why: string): void {
    if (this.#book.traces.length > 0 || this.#book.options.signal.aborted) return;
    this.#book.absent ??= error;
    this.#book.unready ??= why;
  }

  async #playAll(first: ServedTarget): Promise<void> {
    const { jobs, target } = this.#book.options;
    const shared = target.kind === 'connect' ? first : undefined;
    const others = Array.from({ length: Math.min(jobs - 1, this.#book.queue.length - 1) }, () =>
      this.#worker(shared),
    );
    await Promise.all([this.#worker(first), ...others]);
    this.#book.drop();
  }

  async #worker(first: ServedTarget | undefined): Promise<void> {
    let served = first;
    while (!this.#book.stopped()) {
      const scenario = this.#book.queue.shift();
      if (scenario === undefined) break;
      if (served === undefined || served.gone) served = await this.#started();
      if (served === undefined) {
        const reason = 'the target could not be started again';
        this.#book.ended(scenario, { outcome: 'ended-early', reason }, 0);
        continue;
      }
      await this.#play(served, scenario);
      if (!needsOwnTarget(scenario) || this.#book.options.target.kind === 'connect') continue;
      await served.stop();
      this.#targets.delete(served);
      served = undefined;
    }
  }

  async #play(served: ServedTarget, scenario: Scenario): Promise<void> {
    const { options, claims, only } = this.#book;
    if (options.target.kind === 'connect' && scenario.last) {
      const reason = 'unsupported: the kit did not start this target, so it does not stop it';
      this.#book.ended(scenario, { outcome: 'ended-early', reason }, 0);
      return;
    }
    const began = performance.now();
    const next = (): number => ++this.#names;
    const { place } = served;
    const { statement } = options;
    const driver = await this.#listening.driver({ name: claims.drive, place, statement, next });
    // Of its own: what is shown again must have been shown to this target, not on its way to another.
    const { scheme, of } = await this.#listening.credentials(statement);
    const lane = new ListeningTarget({
      check: options,
      listening: this.#listening,
      served,
      drive: claims.drive,
      driver,
      next,
      only,
      random: seededRandom(`${options.seed} ${this.#lanes++}`),
      credentials: {
        scheme,
        of: (kind) => of(kind, Date.now()),
      },
    });
    lane.lane.judge.onViolation = () => (this.#book.broken = true);
    this.#playing.add(lane);
    const played = await lane.play(scenario);
    this.#book.ended(scenario, played, performance.now() - began);
    const late = options.signal.aborted ? 0 : (options.timeouts['late'] ?? 300) * options.timeoutScale;
    const found = await lane.close(late);
    this.#playing.delete(lane);
    const { events } = lane.lane;
    const { started } = lane;
    this.#book.heard(played, events);
    const trace = { name: scenario.name, events, found, started, scenarios: [scenario.name] };
    this.#book.recorded(trace, served.output());
  }
}
