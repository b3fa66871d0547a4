/** The programs of a check that listen. Scenarios take one each; one that is fit afterwards is used again. */
import type { CheckRun } from './check-run.ts';
import { ServedTarget } from './served-target.ts';

/** See the file's head. */
export class ServedPool {
  readonly #run: CheckRun;
  readonly #all = new Set<ServedTarget>();
  readonly #idle: ServedTarget[] = [];

  constructor(run: CheckRun) {
    this.#run = run;
  }

  /**
   * Takes a program that listens, or starts one.
   *
   * @returns why there is none, otherwise
   * @throws WireproofError 'environment' when it cannot be started, or its certificate is not trusted
   */
  async take(): Promise<ServedTarget | { readonly why: string; readonly output: readonly string[] }> {
    const idle = this.#idle.pop();
    if (idle !== undefined && idle.ending() === undefined) return idle;
    if (idle !== undefined) await this.#end(idle);
    const { target, statement } = this.#run.options;
    const served = new ServedTarget({
      target,
      patience: this.#run.time('handshake', 5000),
      face: statement?.operator?.url,
    });
    this.#all.add(served);
    const why = await served.start();
    if (why === undefined) return served;
    await this.#end(served);
    return { why, output: served.output() };
  }

  /** Takes a program back. `fit`: whether it may be used again. */
  async giveBack(served: ServedTarget, fit: boolean): Promise<void> {
    served.onExit = undefined;
    if (fit) this.#idle.push(served);
    else await this.#end(served);
  }

  async #end(served: ServedTarget): Promise<void> {
    this.#all.delete(served);
    await served.stop();
  }

  /** Stops all. */
  async stop(): Promise<void> {
    await Promise.all([...this.#all].map((served) => served.stop()));
  }
}
