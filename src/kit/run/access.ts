/**
 * The access to one target: the only owner of its process and of the endpoint where it meets the kit. Three connectors
 * open it: `dial` (the target dials the kit), `listen` (the target listens), and `meet` (meet.ts) on plain carriers.
 */
import type { TargetAddress, TargetPlan } from '../suite/index.ts';
import type { TargetProcess } from '../transport/index.ts';
import type { Fault } from '../world/index.ts';
import type { ListeningProgram } from './listening-program.ts';
import { loopback, placesOf, startProgram } from './program.ts';
import type { ProgramOptions } from './program.ts';

/** The kit's end of the connections with a target. */
export interface Endpoint {
  /** The port on which the kit listens; 0 when it does not listen. */
  readonly port: number;
  /** Disturbs the connections with a peer, or with all peers when it cannot tell them apart. */
  fault(fault: Fault, peer?: string): void;
  close(): void;
}

/**
 * Reaches a target. The access takes each part as soon as it is open, so that a failure leaves nothing open.
 *
 * @returns the reason why the target cannot be reached; undefined when there is none so far
 * @throws WireproofError 'environment' when it cannot be started or reached, or the port is in use
 */
export type Connector = (access: Access) => Promise<string | undefined>;

export class Access {
  endpoint: Endpoint | undefined;
  process: Pick<TargetProcess, 'ending' | 'terminate' | 'stop' | 'output'> | undefined;

  /** How the target's process ended, such as `exited with code 3`; undefined while it runs or without a process. */
  ending(): string | undefined {
    return this.process?.ending();
  }

  /** Stops the process, and ends the connections. */
  async close(): Promise<void> {
    await this.process?.stop();
    this.endpoint?.close();
  }

  /** The last lines of the target's output. */
  output(): readonly string[] {
    return this.process?.output() ?? [];
  }
}

/** How the kit listens for a target, and what it starts. */
export interface DialOptions extends Omit<ProgramOptions, 'target'> {
  readonly target: TargetPlan;
  /** The scheme of `{url}`. */
  readonly scheme: string;
  /** Listens. Port 0: any free port. */
  readonly listen: (host: string, port: number) => Promise<Endpoint>;
  /** Called with the port, before the kit starts the target. */
  readonly listening?: ((port: number) => void) | undefined;
}

/** The target dials the kit. The kit starts it, unless a person does. */
export const dial =
  ({ target, scheme, listen, listening, ...options }: DialOptions): Connector =>
  async (access) => {
    const { host, port } = target.kind === 'command' ? { host: loopback, port: 0 } : target;
    const endpoint = await listen(host, port);
    access.endpoint = endpoint;
    listening?.(endpoint.port);
    if (target.kind !== 'command') return undefined;
    const places = { ...options.places, ...placesOf(endpoint.port, scheme) };
    access.process = await startProgram({ ...options, target, places });
    return undefined;
  };

/** Which program is dialled, and how. */
export interface ListenOptions {
  readonly program: ListeningProgram;
  /** Whether it is started, unless it runs; false: it must run. Default true. */
  readonly starts?: boolean;
  /** Whether it stops with this access; false: it serves others. */
  readonly stops: boolean;
  readonly dial: (place: TargetAddress) => Promise<Endpoint>;
}

/** The target listens, and the kit dials it. */
export const listen =
  ({ program, starts = true, stops, dial }: ListenOptions): Connector =>
  async (access) => {
    access.process = {
      ending: () => program.ending(),
      terminate: () => program.terminate(),
      output: () => program.output(),
      stop: async () => void (stops && (await program.stop())),
    };
    const why = starts ? await program.start() : program.ending();
    if (why === undefined) access.endpoint = await dial(program.place);
    return why;
  };
