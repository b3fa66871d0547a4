/**
 * A gateway's operator as a simulated peer: makes the calls its commander says, each on a stream of its own, and
 * listens to what comes.
 */
import type { PeerCommand, Role, RoleInput, RoleOutput } from '../../kit/base/index.ts';
import { operatorPath } from '../operator.ts';
import type { OperatorReply, OperatorRequest } from '../operator.ts';

/** The state of a scripted operator; handed over at each step. */
export interface ScriptedOperatorState {
  calls: number;
  /** The calls that are open, in order. */
  readonly open: Set<string>;
  /** What calls that are being opened ask. */
  readonly first: Map<string, OperatorRequest>;
}

/** A scripted operator as a role. */
export type ScriptedOperatorRole = Role<
  ScriptedOperatorState,
  OperatorReply,
  OperatorRequest,
  PeerCommand<OperatorRequest>
>;

type Outputs = RoleOutput<OperatorRequest>[];

/**
 * Makes a scripted operator.
 *
 * @example
 * const role = scriptedOperator();
 * const send = { send: { content: 'hello', sender: 'me' } };
 * role.step(role.start(), { type: 'command', command: { do: 'send', message: send } }, 0).outputs[0]?.type; // 'dial'
 */
export function scriptedOperator(): ScriptedOperatorRole {
  return {
    name: 'fold/operator',
    start: () => ({ calls: 0, open: new Set(), first: new Map() }),
    step(state, input) {
      const outputs: Outputs = [];
      react(state, input, outputs);
      return { state, outputs };
    },
  };
}

function react(
  state: ScriptedOperatorState,
  input: RoleInput<OperatorReply, PeerCommand<OperatorRequest>>,
  out: Outputs,
): void {
  if (input.type === 'command') return obey(state, input.command, out);
  if (input.type === 'left') state.open.delete(input.peer);
  else if (input.type === 'opened') {
    const first = state.first.get(input.peer);
    if (first === undefined) return;
    state.first.delete(input.peer);
    out.push({ type: 'send', peer: input.peer, message: first });
    out.push({ type: 'half_close', peer: input.peer });
  }
}

function obey(state: ScriptedOperatorState, command: PeerCommand<OperatorRequest>, out: Outputs): void {
  if (command.do === 'send') {
    const peer = `op-${++state.calls}`;
    state.first.set(peer, command.message);
    state.open.add(peer);
    out.push({ type: 'dial', peer, metadata: { ':path': operatorPath } });
    return;
  }
  const peer = [...state.open].at(-1);
  if (peer === undefined || command.do === 'raw') return;
  state.open.delete(peer);
  out.push({ type: 'close', peer, status: { code: 1, message: 'the operator left' } });
}
