/**
 * The two sides of the testee protocol as roles. The kit's tester sends the requests of a scenario. A testee answers
 * them with a function, in the simulated world or on a program's own stdin and stdout.
 */
import { badInputAnswer } from '../base/index.ts';
import type { JsonObject, PeerCommand, Role, RoleOutput } from '../base/index.ts';
import { peerOf } from '../suite/index.ts';
import type { MakePeer } from '../suite/index.ts';
import { ndjson } from './ndjson.ts';

interface TesterState {
  peer: string | undefined;
  /** Commands from before the connection. */
  waiting: PeerCommand<JsonObject>[];
}

function obey(peer: string, command: PeerCommand<JsonObject>): RoleOutput<JsonObject>[] {
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

/** A peer that only sends the messages of a scenario. */
const testerRole: Role<TesterState, JsonObject, JsonObject, PeerCommand<JsonObject>> = {
  name: 'tester',
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
};

/** The kit's side. */
export const tester: MakePeer = peerOf(testerRole, ndjson, ndjson);

/** Answers one request. */
export type Answer = (request: JsonObject) => JsonObject;

/** The role of a testee. A function answers every request at once. The answer to a line without a JSON object has no id. */
export const testeeRole = (answer: Answer): Role<null, JsonObject, JsonObject> => ({
  name: 'testee',
  start: () => null,
  step(state, input) {
    const outputs: RoleOutput<JsonObject>[] = [];
    if (input.type === 'message')
      outputs.push({ type: 'send', peer: input.peer, message: answer(input.message) });
    if (input.type === 'undecodable')
      outputs.push({ type: 'send', peer: input.peer, message: badInputAnswer(input.reason) });
    return { state, outputs };
  },
});

/** A testee as a target. */
export const testeeOf = (answer: Answer): MakePeer => peerOf(testeeRole(answer), ndjson, ndjson);
