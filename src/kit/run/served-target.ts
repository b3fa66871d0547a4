/** A target that listens, in the real world: started on free ports by the kit, or running already. */
import { awaitPort, freePort, startProcess } from '../transport/index.ts';
import type { TargetProcess } from '../transport/index.ts';
import { filledIn, placeholderVariables } from './placeholders.ts';
import type { TargetPlan, Place } from '../suite/index.ts';

const loopback = '127.0.0.1';

/** See the file's head. */
export class ServedTarget {
  readonly #plan: TargetPlan;
  readonly #handshake: number;
  #place: Place = { host: loopback, port: 0, url: '' };
  #process: TargetProcess | undefined;
  #exit: { readonly exit: number | null; readonly signal: string | null } | undefined;
  #stopping = false;
  /** Hears that its process ended by itself. */
  onExit: ((exit: number | null, signal: string | null) => void) | undefined;

  /** `handshake`: how long it may take until somebody listens (ms). */
  constructor(plan: TargetPlan, handshake: number) {
    this.#plan = plan;
    this.#handshake = handshake;
  }

  /** Where it is. */
  get place(): Place {
    return this.#place;
  }

  /** Whether its process has ended. */
  get gone(): boolean {
    return this.#exit !== undefined;
  }

  /**
   * Starts it, and waits until it listens.
   *
   * @returns why it cannot be had; undefined when it can
   * @throws WireproofError 'environment' when it cannot be started
   */
  async start(): Promise<string | undefined> {
    const plan = this.#plan;
    if (plan.kind === 'command') await this.#spawn(plan);
    else
      this.#place = {
        host: plan.host,
        port: plan.port,
        url: plan.kind === 'connect' ? (plan.url ?? '') : '',
      };
    const there = await awaitPort(this.#place, this.#handshake, () => this.gone || this.#stopping);
    return there ? undefined : this.#absence();
  }

  async #spawn(plan: Extract<TargetPlan, { kind: 'command' }>): Promise<void> {
    const [port, httpPort] = [await freePort(), await freePort()];
    const url = `http://${loopback}:${httpPort}`;
    this.#place = { host: loopback, port, url };
    const listen = `${loopback}:${port}`;
    const values: { readonly [name: string]: string } = {
      listen,
      address: listen,
      host: loopback,
      port: String(port),
      http_port: String(httpPort),
      url,
    };
    this.#process = await startProcess({
      command: filledIn(plan.command, values),
      env: { ...placeholderVariables(values), ...plan.env },
      onExit: (exit, signal) => {
        this.#exit = { exit, signal };
        if (!this.#stopping) this.onExit?.(exit, signal);
      },
    });
  }

  #absence(): string {
    const { host, port } = this.#place;
    if (this.#exit !== undefined) {
      const { exit, signal } = this.#exit;
      const how = signal === null ? `exited with code ${exit ?? 0}` : `was ended by ${signal}`;
      return `the target ${how} before it listened`;
    }
    const hint =
      this.#plan.kind === 'command' ? '; the target must listen on {listen} (also in WIREPROOF_LISTEN)' : '';
    return `nothing listened on ${host}:${port} in ${this.#handshake} ms${hint}`;
  }

  /** Asks it to stop in an orderly way; one that the kit did not start is left alone. */
  terminate(): void {
    this.#process?.terminate();
  }

  /** Stops it, if the kit started it. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#process?.stop();
  }

  /** The end of what it printed. */
  output(): readonly string[] {
    return this.#process?.output() ?? [];
  }
}
