/** Unknown events and fields that a provider may add later, by dialect. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';

const event = (type: string, fields: JsonObject = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

const data = (value: JsonObject): string => `data: ${JSON.stringify(value)}\n\n`;

const strange: JsonObject = { wireproof: { new: ['field', 1, null] } };

/** SSE: fields other than `event` and `data`, and events of an unknown type. */
const sse = ': a comment\n\nid: 7\nretry: 10\nwireproof: unknown\n\n';

const chatChunk: JsonObject = {
  id: 'x',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'wireproof-1',
  ...strange,
};

const lines: { readonly [dialect in DialectName]: readonly string[] } = {
  anthropic: [sse, event('wireproof_unknown', strange), event('ping', strange), event('wireproof_other')],
  'openai-chat': [
    sse,
    data({ ...chatChunk, choices: [{ index: 0, delta: { ...strange }, finish_reason: null, ...strange }] }),
    data({ ...chatChunk, choices: [] }),
  ],
  'openai-responses': [sse, event('response.wireproof.unknown', { sequence_number: 1000, ...strange })],
  ollama: [
    `${JSON.stringify({ model: 'wireproof-1', message: { role: 'assistant', content: '', ...strange }, done: false, ...strange })}\n`,
    `${JSON.stringify({ model: 'wireproof-1', done: false, ...strange })}\n`,
  ],
  lmstudio: [
    JSON.stringify({
      type: 'channelSend',
      channelId: 0,
      message: { type: 'wireproofUnknown', ...strange },
      ...strange,
    }),
    JSON.stringify({ type: 'wireproofNotification', ...strange }),
  ],
};

/** Writes of a provider that a client must ignore, in order. */
export const noiseOf = (dialect: DialectName): readonly string[] => lines[dialect];
