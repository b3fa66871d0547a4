/** The client's side of a prediction: its messages in order, and its conversation with the server machine. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../kit/base/index.ts';
import type { LlmRequest } from '../../messages.ts';
import { lmstudioClient } from './client.ts';
import type { LmClientOutput } from './client.ts';
import { lmstudio } from './index.ts';
import { lmstudioServer } from './server.ts';

const request: LlmRequest = {
  dialect: 'lmstudio',
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  tools: [],
  maxTokens: 5,
  stream: true,
  includeUsage: true,
};
const bytes = (message: Json): Uint8Array => new TextEncoder().encode(JSON.stringify(message));
const sent = (outputs: readonly LmClientOutput[]): Json[] =>
  outputs.map((output) => (output.do === 'send' ? output.message : output.do));

describe('a client', () => {
  it('authenticates, opens its channel, and delivers the messages after that', () => {
    const client = lmstudioClient({ request, identifier: 'me', passkey: 'x', channelId: 3 });
    const { state, outputs } = client.start();
    expect(sent(outputs)).toEqual([{ authVersion: 1, clientIdentifier: 'me', clientPasskey: 'x' }]);
    const opened = client.step(state, { type: 'message', bytes: bytes({ success: true }) });
    expect(sent(opened.outputs)).toMatchObject([
      { type: 'channelCreate', endpoint: 'predict', channelId: 3 },
    ]);
    const more = bytes({ type: 'channelSend', channelId: 3, message: {} });
    expect(client.step(opened.state, { type: 'message', bytes: more }).outputs).toEqual([
      { do: 'deliver', bytes: more },
    ]);
  });

  it('cancels an open channel once; after an earlier cancel it opens no channel', () => {
    const client = lmstudioClient({ request });
    const { state } = client.start();
    client.step(state, { type: 'message', bytes: bytes({ success: true }) });
    expect(sent(client.step(state, { type: 'cancel' }).outputs)).toEqual([
      { type: 'channelSend', channelId: 0, message: { type: 'cancel' } },
    ]);
    expect(client.step(state, { type: 'cancel' }).outputs).toEqual([]);
    const early = client.start().state;
    expect(client.step(early, { type: 'cancel' }).outputs).toEqual([]);
    expect(sent(client.step(early, { type: 'message', bytes: bytes({ success: true }) }).outputs)).toEqual([
      'deliver',
    ]);
  });

  it('delivers a refused authentication, and any invalid answer, to its decoder', () => {
    const client = lmstudioClient({ request });
    for (const [answer, kind] of [
      [bytes({ success: false, error: 'no' }), 'provider'],
      [new TextEncoder().encode('<html>'), 'protocol'],
    ] as const) {
      const { state } = client.start();
      const [output] = client.step(state, { type: 'message', bytes: answer }).outputs;
      const decoder = lmstudio.decoder();
      if (output?.do === 'deliver') decoder.push(output.bytes);
      expect(decoder.end('clean').error?.kind).toBe(kind);
    }
  });

  it('is understood by the server', () => {
    const client = lmstudioClient({ request });
    const server = lmstudioServer('llm');
    const { state, outputs } = client.start();
    const connection = server.start();
    const said = (messages: readonly LmClientOutput[]) =>
      messages.flatMap((output) =>
        output.do === 'send'
          ? server.step(connection, JSON.parse(JSON.stringify(output.message)) as Json).outputs
          : [],
      );
    const [answer] = said(outputs);
    expect(answer).toEqual({ do: 'send', message: { success: true } });
    const opened = client.step(state, { type: 'message', bytes: bytes({ success: true }) });
    expect(said(opened.outputs)).toEqual([{ do: 'predict', channelId: 0, request }]);
    expect(said(client.step(state, { type: 'cancel' }).outputs)).toEqual([{ do: 'cancel', channelId: 0 }]);
  });
});
