/** A gateway's operator as a simulated peer: makes the calls of its commands, and receives the replies. */
import type { PeerCommand, Role, RoleInput } from '../../kit/base/index.ts';
import { operatorPath } from '../operator.ts';
import type { OperatorReply, OperatorRequest } from '../operator.ts';
import { StepOutputs } from '../step-outputs.ts';
import { dialCall, sendCall } from './calls.ts';
import type { CallingState } from './calls.ts';

/** The state of a scripted operator, which each step takes over. */
export interface ScriptedOperatorState extends CallingState<OperatorRequest> {
  /** The open calls, in order. */
  readonly open: Set<string>;
}

/** A scripted operator as a role. */
export type ScriptedOperatorRole = Role<
  ScriptedOperatorState,
  OperatorReply,
  OperatorRequest,
  PeerCommand<OperatorRequest>
>;

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
    start: () => ({ streams: 0, open: new Set(), first: new Map() }),
    step(state, input, now) {
      const out = new StepOutputs<ScriptedOperatorState, OperatorRequest>(state, now);
      react(out, input);
      return { state, outputs: out.outputs };
    },
  };
}

function react(
  out: StepOutputs<ScriptedOperatorState, OperatorRequest>,
  input: RoleInput<OperatorReply, PeerCommand<OperatorRequest>>,
): void {
  const { open } = out.state;
  if (input.type === 'left') open.delete(input.peer);
  else if (input.type === 'opened') sendCall(out, input.peer);
  if (input.type !== 'command') return;
  const { command } = input;
  if (command.do === 'send') {
    open.add(dialCall(out, 'op', command.message, { ':path': operatorPath }));
    return;
  }
  const peer = [...open].at(-1);
  if (peer === undefined || command.do === 'raw') return;
  open.delete(peer);
  out.close(peer, 1, 'the operator left');
}
