/** A program that listens: started by the kit on reserved ports, or running already. */
import { addressText, hostPortOf } from '../base/index.ts';
import { awaitPort, checkTls, reservePort } from '../transport/index.ts';
import type { ReservedPort, TargetProcess } from '../transport/index.ts';
import type { TargetAddress, TargetPlan } from '../suite/index.ts';
import { loopback, placesOf, startProgram } from './program.ts';
import type { Placeholders } from './program.ts';
import type { SideServers } from './side-servers.ts';

/** The error message of a program whose port is in use. */
const portTaken = /EADDRINUSE|address (is )?already in use|port.{0,40} (is )?(already )?in use/i;

/** How the program is reached. */
export interface ListeningProgramOptions {
  readonly target: TargetPlan;
  /** How long it may take until it listens (ms). */
  readonly patience: number;
  /** The URL of its operator interface, if the statement gives one. */
  readonly operatorUrl?: string | undefined;
  /** The scheme of `{url}` when `{url}` has the port of `{listen}`; absent: it has the port of `{http_port}`, with HTTP. */
  readonly scheme?: string;
  /** Further placeholders. */
  readonly places?: Placeholders | undefined;
  /** The kit's servers for it, which are open as long as it runs. */
  readonly sides?: SideServers | undefined;
  /** Called when it listens. @returns the reason why it cannot be used; undefined when it can */
  readonly probe?: (program: ListeningProgram) => Promise<string | undefined>;
}

/** How often a program is started, each time on other ports, while its ports turn out to be in use. */
const maxStarts = 4;

export class ListeningProgram {
  /** Called when its process ends by itself. */
  onExit: ((exit: number | null, signal: string | null) => void) | undefined;
  readonly sides: SideServers | undefined;
  readonly #options: ListeningProgramOptions;
  #place: TargetAddress;
  #ports: readonly ReservedPort[] = [];
  #process: TargetProcess | undefined;
  #listens = false;
  #stopping = false;

  constructor(options: ListeningProgramOptions) {
    this.sides = options.sides;
    this.#options = options;
    this.#place = { host: loopback, port: 0, url: '', ...options.target };
  }

  get place(): TargetAddress {
    return this.#place;
  }

  /** How its process ended, such as `exited with code 3`; undefined while it runs, or when the kit did not start it. */
  ending(): string | undefined {
    return this.#process?.ending();
  }

  /**
   * Starts it, unless it runs, and waits until it listens. If its port is in use, starts it again on other ports.
   *
   * @returns the reason why it cannot be reached; undefined when it listens
   * @throws WireproofError 'environment' when it cannot be started, or its certificate is not trusted
   */
  async start(): Promise<string | undefined> {
    if (this.#listens && this.ending() === undefined) return undefined;
    this.#stopping = false;
    await this.sides?.open();
    for (let starts = 1; ; starts++) {
      const why = await this.#start();
      const retry = why !== undefined && !this.#stopping && starts < maxStarts && this.#portTaken();
      if (!retry) return why;
    }
  }

  /** Whether the kit chose its ports, and it printed that one of them is in use. */
  #portTaken(): boolean {
    return this.#options.target.kind === 'command' && this.output().some((line) => portTaken.test(line));
  }

  async #start(): Promise<string | undefined> {
    await this.#end();
    const { target, patience } = this.#options;
    if (target.kind === 'command') await this.#spawn(target);
    const givenUp = (): boolean => this.ending() !== undefined || this.#stopping;
    if (!(await awaitPort(this.#place, patience, givenUp))) return this.#absence();
    const { url, tls, ca } = this.#place;
    const { operatorUrl = url } = this.#options;
    const trust = ca === undefined ? {} : { ca };
    if (tls === true) await checkTls({ ...this.#place, patience }, trust);
    const face = operatorUrl.startsWith('https:') ? hostPortOf(new URL(operatorUrl).host, 443) : undefined;
    if (face !== undefined) await checkTls({ ...face, patience }, trust);
    this.#listens = true;
    const why = (await this.#options.probe?.(this)) ?? this.#ended();
    this.#listens = why === undefined;
    return why;
  }

  /** A process that ended was not the one that listened: another program has its port. */
  #ended(): string | undefined {
    const ending = this.ending();
    return ending === undefined ? undefined : `the target ${ending} while another program had its port`;
  }

  async #spawn(target: Extract<TargetPlan, { kind: 'command' }>): Promise<void> {
    const { scheme, places } = this.#options;
    const main = await reservePort();
    const http = scheme === undefined ? await reservePort() : main;
    this.#ports = [...new Set([main, http])];
    const own = placesOf(main.port, scheme ?? 'http');
    const face = scheme === undefined ? placesOf(http.port, 'http') : own;
    const { url } = face;
    this.#place = { ...this.#place, port: main.port, url };
    this.#process = await startProgram({
      target,
      places: { ...own, url, listen: own.address, http_port: face.port, ...places },
      sides: this.sides,
      onExit: (exit, signal) => this.onExit?.(exit, signal),
    });
  }

  #absence(): string {
    const { host, port } = this.#place;
    const ending = this.ending();
    if (ending !== undefined) return `the target ${ending} before it listened`;
    const hint =
      this.#options.target.kind === 'command'
        ? '; the target must listen on {listen} (also in WIREPROOF_LISTEN)'
        : '';
    return `nothing listened on ${addressText({ host, port })} in ${this.#options.patience} ms${hint}`;
  }

  /** Asks it to stop in an orderly way, if the kit started it. */
  terminate(): void {
    this.#process?.terminate();
  }

  /** Stops it, if the kit started it. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#end();
    await this.sides?.close();
  }

  async #end(): Promise<void> {
    this.#listens = false;
    await this.#process?.stop();
    for (const port of this.#ports) port.release();
  }

  /** The last lines of its output. */
  output(): readonly string[] {
    return this.#process?.output() ?? [];
  }
}
