/** How a target on a plain carrier is approached: listened for, dialled, or started with its pipes or its place. */
import { WireproofError } from '../base/index.ts';
import {
  Wires,
  awaitPort,
  byteWire,
  connectTcp,
  connectWebSocket,
  freePort,
  listenTcp,
  listenWebSocket,
  startProcess,
} from '../transport/index.ts';
import type { Carriage, TargetProcess } from '../transport/index.ts';
import type { Accept, Fault } from '../world/index.ts';
import { filledIn, placeholderVariables } from './placeholders.ts';
import type { Placeholders } from './placeholders.ts';
import type { Carrier, TargetPlan } from '../suite/index.ts';
import { listensItself } from '../suite/index.ts';

const loopback = '127.0.0.1';

/** What it needs. */
export interface TargetConnectorOptions {
  readonly target: TargetPlan;
  readonly carrier: Carrier;
  /** Takes each connection: bytes, or messages where the carrier keeps them apart. */
  readonly accept: Accept;
  /** Largest message taken where the carrier keeps them apart (bytes). */
  readonly maxReceive: number;
  /** How long a target may take until it listens (ms). */
  readonly patience: number;
  /** Further placeholders and variables of the target's command and environment. */
  readonly beside?: { readonly places: Placeholders; readonly environment: Placeholders };
  /** Hears that the target's process ended by itself. */
  readonly onExit: (exit: number | null, signal: string | null) => void;
}

/** See the file's head. */
export class TargetConnector {
  readonly #options: TargetConnectorOptions;
  #carriage: Carriage | undefined;
  #process: TargetProcess | undefined;
  #stopping = false;
  /** How its process ended, once it has. */
  exit: string | undefined;

  constructor(options: TargetConnectorOptions) {
    this.#options = options;
  }

  /** The port on which the kit waits; 0 where it does not. */
  get port(): number {
    return this.#carriage?.port ?? 0;
  }

  /**
   * Approaches it; connections come to `accept`, then or later.
   *
   * @returns why it cannot be had; undefined when nothing speaks against it
   * @throws WireproofError 'environment' when it cannot be started or reached, or the port is taken
   */
  async open(): Promise<string | undefined> {
    const { target, carrier } = this.#options;
    if (target.kind === 'connect') await this.#dial(target.host, target.port);
    else if (target.kind === 'listen') await this.#listen(target.host, target.port);
    else if (carrier === 'stdio' || carrier === 'http') await this.#spawn(target, {});
    else if (listensItself(target.command)) return this.#toListener(target);
    else await this.#spawn(target, this.#places(await this.#listen(loopback, 0)));
    return undefined;
  }

  /** Disturbs the connections. */
  fault(fault: Fault): void {
    this.#carriage?.fault(fault);
  }

  /** Asks the target to stop in an orderly way. */
  terminate(): void {
    this.#process?.terminate();
  }

  /** Stops the target that the kit started, and ends the connections. */
  async close(): Promise<void> {
    this.#stopping = true;
    await this.#process?.stop();
    this.#carriage?.close();
  }

  /** The end of what the target printed. */
  output(): readonly string[] {
    return this.#process?.output() ?? [];
  }

  #places(port: number): Placeholders {
    const address = `${loopback}:${port}`;
    const url = this.#options.carrier === 'ws' ? `ws://${address}` : `tcp://${address}`;
    return { address, listen: address, host: loopback, port: String(port), url };
  }

  async #listen(host: string, port: number): Promise<number> {
    const { carrier, maxReceive, accept } = this.#options;
    this.#carriage =
      carrier === 'ws'
        ? await listenWebSocket({ host, port, accept, maxReceive })
        : await listenTcp({ host, port, accept });
    return this.#carriage.port;
  }

  async #dial(host: string, port: number): Promise<void> {
    const { carrier, maxReceive, accept } = this.#options;
    this.#carriage =
      carrier === 'ws'
        ? await connectWebSocket({ url: `ws://${host}:${port}`, accept, maxReceive })
        : await connectTcp({ host, port, accept });
  }

  /** A target that listens where it is told to. */
  async #toListener(target: Extract<TargetPlan, { kind: 'command' }>): Promise<string | undefined> {
    const port = await freePort();
    await this.#spawn(target, this.#places(port));
    const { patience } = this.#options;
    const there = await awaitPort({ host: loopback, port }, patience, () => this.exit !== undefined);
    if (!there) return this.exit ?? `nothing listened on {listen} (${loopback}:${port}) in ${patience} ms`;
    await this.#dial(loopback, port);
    return undefined;
  }

  async #spawn(target: Extract<TargetPlan, { kind: 'command' }>, places: Placeholders): Promise<void> {
    const { carrier, accept, beside } = this.#options;
    const all = { ...places, ...beside?.places };
    const wires = new Wires('stdio', accept);
    const stdio = carrier === 'stdio';
    if (stdio) this.#carriage = { port: 0, fault: (f) => wires.fault(f), close: () => wires.close() };
    this.#process = await startProcess({
      command: filledIn(target.command, all),
      env: { ...placeholderVariables(all), ...beside?.environment, ...target.env },
      onExit: (exit, signal) => this.#ended(exit, signal),
      ...(stdio ? { carry: (pipes) => wires.add(byteWire(pipes)) } : {}),
    });
  }

  #ended(exit: number | null, signal: string | null): void {
    const how = signal === null ? `exited with code ${exit ?? 0}` : `was ended by ${signal}`;
    this.exit = `the target ${how}`;
    if (!this.#stopping) this.#options.onExit(exit, signal);
  }

  /** Why something could not be had, as a sentence. @throws what is no matter of the environment */
  static why(error: unknown): string {
    if (error instanceof WireproofError && error.code === 'environment') return error.message;
    throw error;
  }
}
