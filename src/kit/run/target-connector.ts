/** Reaches a target on a plain carrier: waits for it, dials it, or starts it. */
import { addressText } from '../base/index.ts';
import {
  Connections,
  byteWire,
  connectTcp,
  connectWebSocket,
  listenTcp,
  listenWebSocket,
} from '../transport/index.ts';
import type { ByteEndpoint, ProcessOptions, TargetProcess } from '../transport/index.ts';
import type { Accept, Fault } from '../world/index.ts';
import { listensItself } from '../suite/index.ts';
import type { Carrier, TargetPlan } from '../suite/index.ts';
import { loopback, placesOf, startProgram } from './program.ts';
import type { Placeholders } from './program.ts';
import { ServedTarget } from './served-target.ts';

/** How a target is reached. */
export interface TargetConnectorOptions {
  readonly target: TargetPlan;
  readonly carrier: Carrier;
  /** The type of WebSocket messages that are sent; default binary. */
  readonly messages?: 'binary' | 'text';
  /** Accepts each connection. It carries bytes, or messages if the carrier separates them. */
  readonly accept: Accept;
  /** The largest accepted message, if the carrier separates messages (bytes). */
  readonly maxReceive: number;
  /** The time limit until a target listens (ms). */
  readonly patience: number;
  /** Further placeholders. */
  readonly places?: Placeholders;
  /** The placeholders and environment variables of the kit's HTTP server. */
  readonly sideServer?: { readonly places: Placeholders; readonly environment: Placeholders };
  /** Takes a fault of the kit in a listener's events; default: its connection ends, and the process serves on. */
  readonly kitFault?: (error: unknown) => void;
  /** Takes the output of a program on the carrier http. */
  readonly onOutput?: ProcessOptions['onOutput'];
  /** Called when the target's process ends by itself. */
  readonly onExit: (exit: number | null, signal: string | null) => void;
}

export class TargetConnector {
  readonly #options: TargetConnectorOptions;
  #endpoint: ByteEndpoint | undefined;
  #process: Pick<TargetProcess, 'ending' | 'terminate' | 'stop' | 'output'> | undefined;

  constructor(options: TargetConnectorOptions) {
    this.#options = options;
  }

  /** The port on which the kit listens; 0 when it does not listen. */
  get port(): number {
    return this.#endpoint?.port ?? 0;
  }

  /** How the target's process ended, such as `exited with code 3`; undefined while it runs or without a process. */
  ending(): string | undefined {
    return this.#process?.ending();
  }

  /**
   * Reaches the target. `accept` receives its connections, possibly after this returns.
   *
   * @returns the reason why the target cannot be reached; undefined when there is none so far
   * @throws WireproofError 'environment' when it cannot be started or reached, or the port is in use
   */
  async open(): Promise<string | undefined> {
    const { target, carrier } = this.#options;
    if (target.kind === 'connect') await this.#dial(target);
    else if (target.kind === 'listen') await this.#listen(target.host, target.port);
    else if (carrier === 'stdio' || carrier === 'http') await this.#spawn(target, {});
    else if (listensItself(target.command)) return this.#spawnAndDial(target);
    else await this.#spawn(target, placesOf(await this.#listen(loopback, 0), this.#scheme));
    return undefined;
  }

  /** Disturbs the connections. */
  fault(fault: Fault): void {
    this.#endpoint?.fault(fault);
  }

  /** Asks the target to stop in an orderly way. */
  terminate(): void {
    this.#process?.terminate();
  }

  /** Stops the target that the kit started, and ends the connections. */
  async close(): Promise<void> {
    await this.#process?.stop();
    this.#endpoint?.close();
  }

  /** The last lines of the target's output. */
  output(): readonly string[] {
    return this.#process?.output() ?? [];
  }

  /** The scheme of the carrier's URLs. */
  get #scheme(): string {
    return this.#options.carrier === 'ws' ? 'ws' : 'tcp';
  }

  async #listen(host: string, port: number): Promise<number> {
    const { carrier, kitFault, ...options } = this.#options;
    const at = { ...options, host, port };
    this.#endpoint = await (carrier === 'ws'
      ? listenWebSocket({ ...at, ...(kitFault === undefined ? {} : { fault: kitFault }) })
      : listenTcp(at));
    return this.#endpoint.port;
  }

  async #dial({
    host,
    port,
    tls,
    url,
  }: Omit<Extract<TargetPlan, { kind: 'connect' }>, 'kind'>): Promise<void> {
    const { carrier, target, ...options } = this.#options;
    const { ca, token } = target;
    const trust = ca === undefined ? {} : { ca };
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#endpoint =
      carrier === 'ws'
        ? await connectWebSocket({
            ...options,
            ...trust,
            headers,
            url: url ?? `${tls === true ? 'wss' : 'ws'}://${addressText({ host, port })}`,
          })
        : await connectTcp({ ...options, host, port, ...(tls === true ? { tls: trust } : {}) });
  }

  /** Starts a target that listens on the kit's `{listen}`, and dials it. */
  async #spawnAndDial(target: Extract<TargetPlan, { kind: 'command' }>): Promise<string | undefined> {
    const { patience, onExit, sideServer } = this.#options;
    const served = new ServedTarget({ target, patience, scheme: this.#scheme, ...sideServer });
    served.onExit = onExit;
    this.#process = served;
    const why = await served.start();
    const { host, port } = served.place;
    if (why === undefined) await this.#dial({ host, port });
    return why;
  }

  async #spawn(target: Extract<TargetPlan, { kind: 'command' }>, places: Placeholders): Promise<void> {
    const { carrier, accept, sideServer, onExit, onOutput } = this.#options;
    const connections = new Connections('stdio', accept);
    const stdio = carrier === 'stdio';
    if (stdio)
      this.#endpoint = {
        port: 0,
        fault: (fault) => connections.fault(fault),
        close: () => connections.close(),
      };
    this.#process = await startProgram({
      target,
      places: { ...this.#options.places, ...places, ...sideServer?.places },
      ...(sideServer === undefined ? {} : { environment: sideServer.environment }),
      onExit,
      ...(stdio ? { carry: (pipes) => connections.add(byteWire(pipes)) } : {}),
      // Programs such as coding agents add what they read on stdin to their prompt, and wait for its end.
      ...(carrier === 'http' ? { emptyStdin: true, onOutput } : {}),
    });
  }
}
