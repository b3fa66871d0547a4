/**
 * How a mutant is made: the reference gateway, with something between it and the wire that changes one thing it is
 * told or one thing it puts out. What is not changed passes as it is, so nothing else is wrong with it.
 */
import type { Role } from '../../../../src/kit/base/index.ts';
import type { MakePeer, Mutant } from '../../../../src/kit/suite/index.ts';
import { gateway, wireOf } from '../../../../src/fold/index.ts';
import type {
  GatewayCommand,
  GatewayIn,
  GatewayOptions,
  GatewayOut,
  GatewayRole,
  GatewayState,
  WireKind,
} from '../../../../src/fold/index.ts';
import { gatewayOptions, hosted } from '../target.ts';
import type { AgentLink, GatewayFault, FaultContext, Input, Output } from './faults.ts';

interface State {
  gateway: GatewayState;
  readonly fault: GatewayFault;
  readonly kinds: Map<string, WireKind>;
  readonly pending: Map<string, (hand: FaultContext) => void>;
  /** Operators' streams that have said what they want. */
  readonly asked: Set<string>;
  timers: number;
}

/** One handling of an input: what is still to be told to the gateway, and what was put out. */
class FaultTurn implements FaultContext {
  readonly inbox: Input[] = [];
  readonly outputs: Output[] = [];
  readonly now: number;
  readonly #state: State;

  constructor(state: State, now: number) {
    this.#state = state;
    this.now = now;
  }

  get gateway(): GatewayState {
    return this.#state.gateway;
  }

  kindOf(peer: string): WireKind | undefined {
    return this.#state.kinds.get(peer);
  }

  agentOn(peer: string): AgentLink | undefined {
    const link = this.gateway.links.get(peer);
    return link?.kind === 'agent' && link.listing !== undefined ? link : undefined;
  }

  tell(input: Input): void {
    this.inbox.push(input);
  }

  put(output: Output): void {
    this.outputs.push(output);
  }

  send(peer: string, message: GatewayOut): void {
    this.put({ type: 'send', peer, message });
  }

  close(peer: string, code: number, message: string): void {
    this.put({ type: 'close', peer, status: { code, message } });
    this.tell({ type: 'left', peer });
  }

  later(ms: number, then: (hand: FaultContext) => void): void {
    const id = `fault:${++this.#state.timers}`;
    this.#state.pending.set(id, then);
    this.put({ type: 'start_timer', id, ms });
  }
}

/** Tells the gateway all that it is to be told, and puts out what the fault makes of its outputs. */
function drain(inner: GatewayRole, state: State, turn: FaultTurn): void {
  for (let next = turn.inbox.shift(); next !== undefined; next = turn.inbox.shift()) {
    const now = state.fault.clock?.(next, turn.now) ?? turn.now;
    const stepped = inner.step(state.gateway, next, now);
    state.gateway = stepped.state;
    for (const output of stepped.outputs)
      turn.outputs.push(...(state.fault.output?.(output, turn) ?? [output]));
  }
}

/** The command by which a mutant's host tells it of a ping: hosts tell roles of none. */
const pinged = 'ping on ';

/** Whether an input is an operator's half-close after its call: the gateway need not hear it, and may not have the call. */
function saidAll(state: State, input: Input): boolean {
  if (!('peer' in input) || state.kinds.get(input.peer) !== 'operator') return false;
  if (input.type === 'message') state.asked.add(input.peer);
  return input.type === 'half_close' && state.asked.has(input.peer);
}

function take(state: State, input: Input, turn: FaultTurn): void {
  if (input.type === 'opened') state.kinds.set(input.peer, wireOf(input.metadata[':path']).kind);
  if (saidAll(state, input)) return;
  const timer = input.type === 'timer' ? input.id : '';
  const later = state.pending.get(timer);
  state.pending.delete(timer);
  const reason = input.type === 'command' ? (input.command.reason ?? '') : '';
  if (later !== undefined) later(turn);
  else if (reason.startsWith(pinged)) state.fault.ping?.(reason.slice(pinged.length), turn);
  else turn.inbox.unshift(...(state.fault.input?.(input, turn) ?? [input]));
}

/** The gateway with a fault, as a role. */
const faulty = (
  inner: GatewayRole,
  fault: () => GatewayFault,
): Role<State, GatewayIn, GatewayOut, GatewayCommand> => ({
  name: inner.name,
  start: () => ({
    gateway: inner.start(),
    fault: fault(),
    kinds: new Map(),
    pending: new Map(),
    asked: new Set(),
    timers: 0,
  }),
  step(state, input, now) {
    const turn = new FaultTurn(state, now);
    take(state, input, turn);
    drain(inner, state, turn);
    return { state, outputs: turn.outputs };
  },
});

/** A peer that tells its role of pings. */
const hearingPings =
  (make: MakePeer): MakePeer =>
  (world) => {
    const peer = make(world);
    return {
      ...peer,
      accept(link, metadata) {
        const events = peer.accept(link, metadata);
        return {
          headers: (headers) => events.headers(headers),
          message: (bytes) => events.message(bytes),
          halfClose: () => events.halfClose(),
          ended: (status) => events.ended(status),
          drained: () => events.drained(),
          ping() {
            events.ping();
            peer.command({ do: 'shutdown', reason: `${pinged}${link.stream}` });
          },
        };
      },
    };
  };

/**
 * Makes a mutant.
 *
 * @param breaks the requirement it is there to break
 * @param fault makes the fault anew for each run, for the options of a scenario
 * @param options what it is set up with instead
 *
 * @example
 * import { toAgents } from './faults.ts';
 *
 * wrong('FOLD-G04', 'server-id-empty', 'Its Welcome has no server_id.', () =>
 *   toAgents((m) => [m.welcome === undefined ? m : { welcome: { ...m.welcome, server_id: '' } }]),
 * );
 */
export function wrong(
  breaks: string,
  id: string,
  title: string,
  fault: (options: Partial<GatewayOptions>) => GatewayFault,
  options: (given: Partial<GatewayOptions>) => Partial<GatewayOptions> = (given) => given,
): Mutant {
  return {
    id,
    breaks,
    title,
    make(reference) {
      const given = gatewayOptions(reference);
      return hearingPings(hosted(faulty(gateway(options(given)), () => fault(given))));
    },
  };
}
