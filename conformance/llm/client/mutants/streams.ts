/** Clients that misread the order, the end or the stop reasons of a stream, or send back parts that are empty or split. */
import { conversationOf } from '../../../../src/llm/index.ts';
import type { ClientParts, Conversation, LlmMessage } from '../../../../src/llm/index.ts';
import {
  callFrom,
  changeDecoded,
  changeExchange,
  withoutError,
  withStopReason,
  withToolCalls,
} from './mutant.ts';
import type { ClientFaults } from './mutant.ts';

/** The last stop word of a stream of OpenAI's or Anthropic's. */
const lastStop = (raw: string): string | undefined =>
  [...raw.matchAll(/"(?:finish_reason|stop_reason)":"(\w+)"/g)].at(-1)?.[1];

/** Gives each delta to the block that was opened last. */
const takesByOrder: ClientParts = changeExchange({
  chunk: (chunk, { raw }) => {
    const text = Buffer.from(chunk).toString('latin1');
    const last = [...raw.matchAll(/"content_block_start","index":(\d+)/g)].at(-1)?.[1];
    if (last === undefined || !text.includes('"input_json_delta"')) return chunk;
    return Buffer.from(text.replace(/("content_block_delta","index":)\d+/g, `$1${last}`), 'latin1');
  },
});

/** Replaces the messages of Anthropic's requests. */
const editBody = (edit: (message: Record<string, unknown>) => Record<string, unknown>): ClientParts => ({
  converse(request, baseUrl, headers): Conversation {
    const inner = conversationOf(request, baseUrl, headers);
    if (request.dialect !== 'anthropic') return inner;
    const first = inner.first.map((bytes) => {
      const body = JSON.parse(Buffer.from(bytes).toString()) as { messages: Record<string, unknown>[] };
      return Buffer.from(JSON.stringify({ ...body, messages: body.messages.map(edit) }));
    });
    return new Proxy(inner, {
      get(target, name) {
        if (name === 'first') return first;
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]): unknown => Reflect.apply(value, target, args);
      },
    });
  },
});

const editEach = (edit: (message: LlmMessage) => readonly LlmMessage[]): ClientParts =>
  changeExchange({ request: (request) => ({ ...request, messages: request.messages.flatMap(edit) }) });

export const streamFaults: ClientFaults = {
  'believes-the-last-word': changeDecoded((decoded, { raw }) =>
    decoded.response.metadata.stopReason === 'max_tokens' && lastStop(raw) === 'tool_calls'
      ? withoutError(decoded, { metadata: withStopReason(decoded, 'tool_use') })
      : decoded,
  ),
  'takes-blocks-by-order': takesByOrder,
  'believes-done': changeDecoded((decoded, { raw }) =>
    decoded.error !== undefined && raw.includes('data: [DONE]')
      ? withoutError(decoded, { metadata: withStopReason(decoded, 'end_turn') })
      : decoded,
  ),
  'runs-open-blocks': changeDecoded((decoded, { calls, raw }) => {
    const last = calls.at(-1);
    const opened = raw.split('"content_block_start"').length;
    if (last === undefined || lastStop(raw) !== 'tool_use') return decoded;
    return opened > raw.split('"type":"content_block_stop"').length
      ? withToolCalls(decoded, callFrom(last, JSON.parse))
      : decoded;
  }),
  'leaves-results-empty': editEach(({ toolResults, ...message }) => [
    toolResults === undefined
      ? message
      : { ...message, toolResults: toolResults.map((one) => ({ ...one, content: '' })) },
  ]),
  'sends-empty-blocks': editBody((message) =>
    message['role'] === 'assistant' && Array.isArray(message['content'])
      ? { ...message, content: [{ type: 'text', text: '' }, ...(message['content'] as unknown[])] }
      : message,
  ),
  'splits-results': editEach((message) =>
    message.toolResults === undefined
      ? [message]
      : message.toolResults.map((one) => ({ ...message, toolResults: [one] })),
  ),
};
