/** The kit's side of one WebSocket of Responses: its requests, and the response that the next one may continue. */
import type { JsonObject, Metadata } from '../../../src/kit/base/index.ts';
import { at } from './dialects/reader.ts';

/** The head of the WebSocket of Responses, with the header that codex sends (openai/codex, core/src/client.rs). */
export const responsesSocket: Metadata = {
  ':carrier': 'ws',
  ':method': 'GET',
  ':path': '/v1/responses',
  'openai-beta': 'responses_websockets=2026-02-06',
};

/** How a request goes out on the WebSocket. */
export interface SocketAsk {
  /** The lane; absent: none. */
  readonly lane?: string;
  /** Whether it continues the latest response. */
  readonly continues?: true;
  /** False: it wants no answer yet. */
  readonly generate?: false;
}

/** An open WebSocket. */
export interface SocketTalk {
  readonly peer: string;
  /** The id of the latest response. */
  latest: string | undefined;
}

/** The message of a request. Its stream is implied. */
export function askOnSocket(
  { latest }: SocketTalk,
  { lane, continues, generate }: SocketAsk,
  asked: JsonObject,
): JsonObject {
  const { stream: _, ...body } = asked;
  return {
    type: 'response.create',
    ...body,
    ...(lane === undefined ? {} : { stream_id: lane }),
    ...(generate === undefined ? {} : { generate }),
    ...(continues === true && latest !== undefined ? { previous_response_id: latest } : {}),
  };
}

/** Takes note of the id of a response. Its first event has it already. */
export function hearOnSocket(talk: SocketTalk, data: unknown): void {
  const id = at(data, 'response', 'id');
  if (typeof id === 'string') talk.latest = id;
}
