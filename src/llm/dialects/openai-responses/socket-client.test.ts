/** The requests of a client on a WebSocket of Responses. OpenAI API: WebSocket mode, Continue with incremental inputs. */
import { expect, it } from 'vitest';
import { isObject, jsonOf } from '../../../kit/base/index.ts';
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Conversation } from '../shared/conversation.ts';
import type { LlmMessage, LlmRequest } from '../../messages.ts';
import { ResponsesConnection } from './socket-client.ts';

const requestOf = (messages: readonly LlmMessage[]): LlmRequest => ({
  dialect: 'openai-responses',
  model: 'm',
  messages,
  tools: [],
  stream: true,
  includeUsage: true,
});

const asked: LlmMessage = { role: 'user', content: 'Hi' };
const answer: LlmMessage = { role: 'assistant', content: 'Hello.' };
const next: LlmMessage = { role: 'user', content: 'And?' };

/** The only message of a list, as JSON. */
function messageIn([bytes]: readonly Uint8Array[]): JsonObject {
  const value = jsonOf(Buffer.from(bytes ?? []).toString('utf8'));
  if (!isObject(value)) throw new Error('no message');
  return value;
}

const take = (conversation: Conversation, ...events: readonly JsonObject[]): void => {
  for (const event of events) conversation.take(Buffer.from(JSON.stringify(event)));
};

/** A connection on which the model has said hello. */
function answered(): ResponsesConnection {
  const connection = new ResponsesConnection();
  const first = connection.converse(requestOf([asked]), 'http://provider', {});
  connection.opened();
  take(
    first,
    { type: 'response.created', response: { id: 'resp_1', model: 'm' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', content: [] } },
    { type: 'response.output_text.delta', output_index: 0, delta: 'Hello.' },
    { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [] } },
  );
  first.end('clean');
  expect(first.keeps).toBe(true);
  return connection;
}

it('dials the path of Responses, and asks as on HTTP, without stream', () => {
  const conversation = new ResponsesConnection().converse(requestOf([asked]), 'https://provider/v1', {
    a: 'b',
  });
  expect(conversation.metadata).toMatchObject({ ':url': 'wss://provider/v1/responses', a: 'b' });
  expect(messageIn(conversation.first)).toEqual({
    type: 'response.create',
    model: 'm',
    input: [{ type: 'message', role: 'user', content: 'Hi' }],
    store: false,
  });
});

it('continues the latest response with its new items only', () => {
  const conversation = answered().converse(requestOf([asked, answer, next]), 'http://provider', {});
  expect(conversation.joins).toBe(true);
  expect(messageIn(conversation.first)).toMatchObject({
    previous_response_id: 'resp_1',
    input: [{ role: 'user', content: 'And?' }],
  });
});

it('sends the whole conversation where its answer is not the one that came', () => {
  const other: LlmMessage = { role: 'assistant', content: 'Hello. (A note.)' };
  const conversation = answered().converse(requestOf([asked, other, next]), 'http://provider', {});
  const { input, previous_response_id: previous } = messageIn(conversation.first);
  expect([previous, input]).toMatchObject([undefined, [{}, {}, {}]]);
});

it('sends the whole conversation after the connection was lost', () => {
  const connection = answered();
  connection.lost();
  const conversation = connection.converse(requestOf([asked, answer, next]), 'http://provider', {});
  expect(conversation.joins).toBe(false);
  expect(messageIn(conversation.first)).not.toHaveProperty('previous_response_id');
});

// OpenAI API: WebSocket mode: the response that a failed request continued is not kept.
it('sends the whole conversation after an error', () => {
  const connection = answered();
  const failed = connection.converse(requestOf([asked, answer, next]), 'http://provider', {});
  take(failed, { type: 'error', status: 500, error: { message: 'No.', type: 'server_error', code: null } });
  expect(failed.end('clean').error).toMatchObject({ status: 500, retryable: true });
  expect(failed.keeps).toBe(false);
  const again = connection.converse(requestOf([asked, answer, next]), 'http://provider', {});
  expect(messageIn(again.first)).not.toHaveProperty('previous_response_id');
});
