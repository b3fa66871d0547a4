/**
 * The two sides of the testee protocol as roles. The kit's tester sends the requests of a scenario. A testee answers
 * them with a function, in the simulated world or on a program's own stdin and stdout.
 */
import { badInputAnswer } from '../base/index.ts';
import type { JsonObject, Role, RoleOutput } from '../base/index.ts';
import { peerOf, scriptedPeer } from '../suite/index.ts';
import type { MakePeer } from '../suite/index.ts';
import { exactNdjson, lenientNdjson, ndjson } from './ndjson.ts';

/** The kit's side. */
export const tester: MakePeer = scriptedPeer(ndjson);

/** The same, which reads NaN and Infinity in lines of the testee as null. */
export const lenientTester: MakePeer = scriptedPeer(lenientNdjson);

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

/** The same, which reads integers with all their digits. */
export const exactTesteeOf = (answer: Answer): MakePeer => peerOf(testeeRole(answer), exactNdjson, ndjson);
