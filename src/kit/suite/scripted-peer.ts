/** A peer that only sends the messages of a scenario, for protocols whose answers a scenario can hold. */
import type { Codec, PeerCommand, Role, RoleOutput } from '../base/index.ts';
import { peerOf } from './peer.ts';
import type { MakePeer } from './peer.ts';

interface ScriptedState<Out> {
  peer: string | undefined;
  /** The commands from before the link opened. */
  waiting: PeerCommand<Out>[];
}

function obey<M>(peer: string, command: PeerCommand<M>): RoleOutput<M>[] {
  switch (command.do) {
    case 'send':
      return [{ type: 'send', peer, message: command.message }];
    case 'raw':
      return [{ type: 'send_raw', peer, bytes: command.bytes }];
    case 'end':
      return [{ type: 'close', peer, status: command.status }];
    case 'shutdown':
      return [{ type: 'close', peer, status: { code: 0, message: '' } }];
    default:
      return command satisfies never;
  }
}

const scriptedRole = <In, Out>(): Role<ScriptedState<Out>, In, Out, PeerCommand<Out>> => ({
  name: 'scripted',
  start: () => ({ peer: undefined, waiting: [] }),
  step(state, input) {
    if (input.type === 'opened') {
      const outputs = state.waiting.flatMap((command) => obey(input.peer, command));
      return { state: { peer: input.peer, waiting: [] }, outputs };
    }
    if (input.type === 'left') return { state: { ...state, peer: undefined }, outputs: [] };
    if (input.type !== 'command') return { state, outputs: [] };
    if (state.peer !== undefined) return { state, outputs: obey(state.peer, input.command) };
    return { state: { ...state, waiting: [...state.waiting, input.command] }, outputs: [] };
  },
});

/** Makes a scripted peer. Absent `receives`: both directions have the same messages. */
export function scriptedPeer<M>(codec: Codec<M>): MakePeer;
export function scriptedPeer<In, Out>(sends: Codec<Out>, receives: Codec<In>): MakePeer;
export function scriptedPeer<In, Out>(sends: Codec<Out>, receives: Codec<unknown> = sends): MakePeer {
  return peerOf(scriptedRole<In, Out>(), receives as Codec<In>, sends);
}
