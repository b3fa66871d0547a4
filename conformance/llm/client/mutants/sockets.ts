/** Clients that are wrong on the WebSocket of Responses only. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { ClientTurn, ResponsesConnection, conversationOf } from '../../../../src/llm/index.ts';
import type { ClientParts, Decoded, TurnOptions, TurnResult } from '../../../../src/llm/index.ts';
import { callFrom, changeDecoded, changeExchange, withToolCalls } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';
import { completeJson } from './repair.ts';

/** The parts of a client that are in its exchanges on a WebSocket; on HTTP it is the reference. */
const onSockets = ({ converse = conversationOf }: ClientParts): ClientParts => ({
  converse: (...asked) => (asked[3] === undefined ? conversationOf : converse)(...asked),
});

/** Asks once more when an answer fails after its text has begun. */
class AsksAgain extends ClientTurn {
  #again = true;

  override took(decoded: Decoded): TurnResult | undefined {
    const again = this.#again && decoded.error !== undefined && decoded.response.content !== '';
    this.#again &&= !again;
    return again ? undefined : super.took(decoded);
  }
}

/** A connection that goes on from the latest response of any connection of its turn. */
export class LastingConnection extends ResponsesConnection {
  override remember(latest: ResponsesConnection['latest']): void {
    if (latest !== undefined) super.remember(latest);
  }
}

/** A request with the results at the end of its conversation only. */
function latestOf(message: JsonObject): JsonObject {
  const { input } = message;
  if (!isArray(input)) return message;
  const answered = input.findLastIndex((item) => isObject(item) && item['type'] === 'function_call');
  return { ...message, input: input.slice(answered + 1) };
}

/** The turns of these options ask on a WebSocket. */
function turnsOnSockets(make: (options: TurnOptions) => ClientTurn): ClientParts {
  const asked = new WeakSet<TurnOptions>();
  return {
    job(job) {
      if (job.socket !== undefined) asked.add(job.turn);
      return job;
    },
    turn: (options) => (asked.has(options) ? make(options) : new ClientTurn(options)),
  };
}

export const socketFaults: ClientFaults = {
  'continues-a-lost-response': { connection: (options) => new LastingConnection(options) },
  'forgets-what-came-before-the-loss': onSockets(changeExchange({ body: latestOf })),
  'asks-again-on-a-new-socket': turnsOnSockets((options) => new AsksAgain(options)),
  'completes-cut-call-on-a-socket': onSockets(
    changeDecoded((decoded) => {
      const { open } = decoded.response;
      return open === undefined
        ? decoded
        : withToolCalls(decoded, [
            ...decoded.response.toolCalls,
            ...callFrom(open, (text) => JSON.parse(completeJson(text))),
          ]);
    }),
  ),
};
