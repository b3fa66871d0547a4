/** The targets of a check that listen: each scenario has a session of its own, with one of a few programs. */
import type { Scenario } from '../base/index.ts';
import { waitsOf } from '../scenario/index.ts';
import type { ListeningTargetKind } from '../suite/index.ts';
import type { CheckRun } from './check-run.ts';
import { ListeningTarget } from './listening-target.ts';
import { ServedPool } from './served-pool.ts';
import { ServedTarget } from './served-target.ts';
import type { Targets } from './target.ts';

/** See the file's head. */
export class ListeningTargets implements Targets {
  readonly opening: undefined;
  readonly jobs: number;
  readonly #run: CheckRun;
  readonly #kind: ListeningTargetKind;
  readonly #pool: ServedPool;
  #streams = 0;

  constructor(run: CheckRun, kind: ListeningTargetKind) {
    this.jobs = run.options.jobs;
    this.#run = run;
    this.#kind = kind;
    this.#pool = new ServedPool(run);
  }

  /** What the statement lacks is said before a program is started. */
  async prepare(): Promise<void> {
    const { statement, target, drive } = this.#run.options;
    const { features } = await this.#kind.credentials(statement);
    const name = drive === 'auto' ? this.#kind.choose(target, statement) : drive;
    const nowhere = { host: '127.0.0.1', port: 1, url: 'http://127.0.0.1:1' };
    await this.#kind.driver({ name, place: nowhere, statement, next: () => 0 });
    const first = await this.#pool.take();
    if (!(first instanceof ServedTarget))
      return this.#run.lost({ is: 'absent', why: first.why }, first.output);
    await this.#pool.giveBack(first, true);
    this.#run.came = true;
    this.#run.claim(name, features);
  }

  make(): ListeningTarget {
    return new ListeningTarget(this.#run, this.#kind, this.#pool, () => ++this.#streams);
  }

  own(): boolean {
    return true;
  }

  learn(): Promise<void> {
    return Promise.resolve();
  }

  /** The slowest come first, so that the check takes little longer than they do. */
  rank({ steps }: Scenario): number {
    return -waitsOf(steps, this.#run.options.timeouts);
  }

  /** Adds the features that events have shown. */
  conclude(): void {
    const { claims, traces } = this.#run;
    const shown = traces.flatMap(({ events }) => events.flatMap((event) => this.#kind.shown(event) ?? []));
    this.#run.claims = { ...claims, features: new Set([...claims.features, ...shown]) };
  }

  stop(): Promise<void> {
    return this.#pool.stop();
  }
}
