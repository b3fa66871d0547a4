/** Reaches a target on a plain carrier: waits for it, dials it, or starts it with its pipes or the kit's address. */
import {
  Connections,
  byteWire,
  connectTcp,
  connectWebSocket,
  listenTcp,
  listenWebSocket,
} from '../transport/index.ts';
import type { ByteEndpoint, TargetProcess } from '../transport/index.ts';
import type { Accept, Fault } from '../world/index.ts';
import { listensItself } from '../suite/index.ts';
import type { Carrier, TargetPlan } from '../suite/index.ts';
import { startProgram } from './program.ts';
import type { Placeholders } from './program.ts';
import { ServedTarget } from './served-target.ts';

const loopback = '127.0.0.1';

/** How a target is reached. */
export interface TargetConnectorOptions {
  readonly target: TargetPlan;
  readonly carrier: Carrier;
  /** What WebSocket messages are sent; default binary. */
  readonly messages?: 'binary' | 'text';
  /** Takes each connection: of bytes, or of messages where the carrier keeps them apart. */
  readonly accept: Accept;
  /** Largest message taken where the carrier keeps them apart (bytes). */
  readonly maxReceive: number;
  /** How long a target may take until it listens (ms). */
  readonly patience: number;
  /** Further placeholders and variables of the target's command and environment. */
  readonly beside?: { readonly places: Placeholders; readonly environment: Placeholders };
  /** Called when the target's process ends by itself. */
  readonly onExit: (exit: number | null, signal: string | null) => void;
}

/** See the file's head. */
export class TargetConnector {
  readonly #options: TargetConnectorOptions;
  #endpoint: ByteEndpoint | undefined;
  #process: Pick<TargetProcess, 'ending' | 'terminate' | 'stop' | 'output'> | undefined;

  constructor(options: TargetConnectorOptions) {
    this.#options = options;
  }

  /** The port on which the kit waits; 0 where it does not. */
  get port(): number {
    return this.#endpoint?.port ?? 0;
  }

  /** How the target's process ended, such as `exited with code 3`; undefined while it runs, or when there is none. */
  ending(): string | undefined {
    return this.#process?.ending();
  }

  /**
   * Reaches it; connections come to `accept`, then or later.
   *
   * @returns why it cannot be had; undefined when nothing speaks against it
   * @throws WireproofError 'environment' when it cannot be started or reached, or the port is taken
   */
  async open(): Promise<string | undefined> {
    const { target, carrier } = this.#options;
    if (target.kind === 'connect') await this.#dial(target);
    else if (target.kind === 'listen') await this.#listen(target.host, target.port);
    else if (carrier === 'stdio' || carrier === 'http') await this.#spawn(target, {});
    else if (listensItself(target.command)) return this.#toListener(target);
    else await this.#spawn(target, this.#places(await this.#listen(loopback, 0)));
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

  /** The end of what the target printed. */
  output(): readonly string[] {
    return this.#process?.output() ?? [];
  }

  /** The scheme of the carrier's URLs. */
  get #scheme(): string {
    return this.#options.carrier === 'ws' ? 'ws' : 'tcp';
  }

  #places(port: number): Placeholders {
    const address = `${loopback}:${port}`;
    return { address, host: loopback, port: String(port), url: `${this.#scheme}://${address}` };
  }

  async #listen(host: string, port: number): Promise<number> {
    const { carrier, ...options } = this.#options;
    const listen = carrier === 'ws' ? listenWebSocket : listenTcp;
    this.#endpoint = await listen({ ...options, host, port });
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
            url: url ?? `${tls === true ? 'wss' : 'ws'}://${host}:${port}`,
          })
        : await connectTcp({ ...options, host, port, ...(tls === true ? { tls: trust } : {}) });
  }

  /** A target that listens where it is told to. */
  async #toListener(target: Extract<TargetPlan, { kind: 'command' }>): Promise<string | undefined> {
    const { patience, onExit, beside } = this.#options;
    const served = new ServedTarget({ target, patience, scheme: this.#scheme, ...beside });
    served.onExit = onExit;
    this.#process = served;
    const why = await served.start();
    const { host, port } = served.place;
    if (why === undefined) await this.#dial({ host, port });
    return why;
  }

  async #spawn(target: Extract<TargetPlan, { kind: 'command' }>, places: Placeholders): Promise<void> {
    const { carrier, accept, beside, onExit } = this.#options;
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
      places: { ...places, ...beside?.places },
      ...(beside === undefined ? {} : { environment: beside.environment }),
      onExit,
      ...(stdio ? { carry: (pipes) => connections.add(byteWire(pipes)) } : {}),
    });
  }
}
