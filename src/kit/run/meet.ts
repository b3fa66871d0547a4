/** Reaches a target on a plain carrier, whichever side dials: on its own pipes, over TCP, or over a WebSocket. */
import { addressText } from '../base/index.ts';
import type { HostPort } from '../base/index.ts';
import {
  Connections,
  byteWire,
  connectTcp,
  connectWebSocket,
  listenTcp,
  listenWebSocket,
} from '../transport/index.ts';
import type { Accept } from '../world/index.ts';
import { listensItself } from '../suite/index.ts';
import type { Carrier, TargetPlan } from '../suite/index.ts';
import { dial, listen } from './access.ts';
import type { Connector, Endpoint } from './access.ts';
import { ListeningProgram } from './listening-program.ts';
import { startProgram } from './program.ts';
import type { ProgramOptions } from './program.ts';
import type { SideServers } from './side-servers.ts';

/** How the target is reached. */
export interface MeetOptions extends Pick<ProgramOptions, 'places' | 'onExit' | 'onOutput'> {
  readonly target: TargetPlan;
  readonly carrier: Carrier;
  /** The type of WebSocket messages that are sent; default binary. */
  readonly messages?: 'binary' | 'text';
  /** Accepts each connection. It carries bytes, or messages if the carrier separates them. */
  readonly accept: Accept;
  /** The largest accepted message, if the carrier separates messages (bytes). */
  readonly maxReceive: number;
  /** The kit's servers for the target. */
  readonly sides?: SideServers | undefined;
  /** The time limit until a target listens (ms). */
  readonly patience: number;
  /** Called with the port where the kit listens. */
  readonly listening?: ((port: number) => void) | undefined;
  /** Takes a fault of the kit in a listener's events; default: its connection ends, and the process serves on. */
  readonly kitFault?: (error: unknown) => void;
}

/** Where a target is dialled. */
type Place = Omit<Extract<TargetPlan, { readonly kind: 'connect' }>, 'kind'>;

/** The connector for a carrier and a way to reach the target. */
export function meet(options: MeetOptions): Connector {
  const { target, carrier, places, sides, onExit, listening } = options;
  const scheme = carrier === 'ws' ? 'ws' : 'tcp';
  if (target.kind === 'connect')
    return async (access) => {
      access.endpoint = await dialled(options, target);
      return undefined;
    };
  if (target.kind === 'command' && (carrier === 'stdio' || carrier === 'http'))
    return overPipes(options, target);
  if (target.kind === 'command' && listensItself(target.command)) {
    const program = new ListeningProgram({ target, patience: options.patience, scheme, places, sides });
    program.onExit = onExit;
    return listen({ program, stops: true, dial: ({ host, port }) => dialled(options, { host, port }) });
  }
  const open = (host: string, port: number): Promise<Endpoint> => listened(options, { host, port });
  return dial({ target, scheme, places, sides, onExit, listening, listen: open });
}

function listened({ carrier, kitFault, ...options }: MeetOptions, place: HostPort): Promise<Endpoint> {
  const at = { ...options, ...place };
  return carrier === 'ws'
    ? listenWebSocket({ ...at, ...(kitFault === undefined ? {} : { fault: kitFault }) })
    : listenTcp(at);
}

function dialled(
  { carrier, target, ...options }: MeetOptions,
  { host, port, tls, url }: Place,
): Promise<Endpoint> {
  const { ca, token } = target;
  const trust = ca === undefined ? {} : { ca };
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return carrier === 'ws'
    ? connectWebSocket({
        ...options,
        ...trust,
        headers,
        url: url ?? `${tls === true ? 'wss' : 'ws'}://${addressText({ host, port })}`,
      })
    : connectTcp({ ...options, host, port, ...(tls === true ? { tls: trust } : {}) });
}

/** Starts a program whose stdin and stdout carry the messages, or one that only talks to the kit's HTTP servers. */
const overPipes =
  (
    { carrier, accept, places, sides, onExit, onOutput }: MeetOptions,
    target: ProgramOptions['target'],
  ): Connector =>
  async (access) => {
    const connections = new Connections('stdio', accept);
    const stdio = carrier === 'stdio';
    if (stdio)
      access.endpoint = {
        port: 0,
        fault: (fault) => connections.fault(fault),
        close: () => connections.close(),
      };
    access.process = await startProgram({
      target,
      places,
      sides,
      onExit,
      // Programs such as coding agents add what they read on stdin to their prompt, and wait for its end.
      ...(stdio ? { carry: (pipes) => connections.add(byteWire(pipes)) } : { emptyStdin: true, onOutput }),
    });
    return undefined;
  };
