/** A peer that only sends the messages of a scenario, for protocols whose answers a scenario can hold. */
import type { Codec, PeerCommand, Role, RoleOutput } from '../base/index.ts';
import { peerOf } from './peer.ts';
import type { MakePeer } from './peer.ts';

interface ScriptedState<M> {
  peer: string | undefined;
  /** The commands from before the link opened. */
  waiting: PeerCommand<M>[];
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

const scriptedRole = <M>(): Role<ScriptedState<M>, M, M, PeerCommand<M>> => ({
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

/** Makes a scripted peer. Both directions have the same messages. */
export const scriptedPeer = <M>(codec: Codec<M>): MakePeer => peerOf(scriptedRole<M>(), codec, codec);
