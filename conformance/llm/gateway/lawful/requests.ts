/** Oddities of requests to the provider. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Faults } from '../../../../src/kit/suite/index.ts';
import type {
  FullMessage,
  FullRequest,
  GatewayParts,
  PartContext,
} from '../../../../src/llm/gateway/index.ts';
import { listOf, objectIn } from './edits.ts';

const onAsked = (edit: (body: JsonObject, context: PartContext) => JsonObject): GatewayParts => ({
  asked: (body, context) => (isObject(body) ? edit(body, context) : body),
});

/** System text after the first message becomes the user's, with a note that it is not. */
function noted(request: FullRequest): FullRequest {
  const first = request.messages.findIndex(({ role }) => role !== 'system');
  const messages = request.messages.map((message, i): FullMessage => {
    if (message.role !== 'system' || i < first) return message;
    return {
      role: 'user',
      parts: [{ kind: 'text', text: 'The operator says, and not the user:' }, ...message.parts],
    };
  });
  return { ...request, messages };
}

export const requestOddities: Faults<GatewayParts> = {
  'later-system-with-note': {
    request: (request, { route }) => (route.provider === 'anthropic' ? noted(request) : request),
  },
  'asks-for-streams': { streamsBelow: true },
  'texts-as-blocks': onAsked((body, { route }) => {
    const isResponses = route.provider === 'openai-responses';
    const kind = isResponses ? 'input' : 'messages';
    // The answers of a model are output there.
    const typeOf = ({ role }: JsonObject): string =>
      isResponses ? (role === 'assistant' ? 'output_text' : 'input_text') : 'text';
    const messages = listOf(body[kind]).map((message) =>
      typeof message['content'] === 'string'
        ? { ...message, content: [{ type: typeOf(message), text: message['content'] }] }
        : message,
    );
    return { ...body, [kind]: messages };
  }),
  'members-asked': onAsked((body, { route }) => ({ ...own[route.provider], ...body })),
  'schemas-completed': onAsked((body) => ({
    ...body,
    tools: listOf(body['tools']).map((tool) => completed(tool)),
  })),
  'headers-of-gateway': {
    fields: (fields) => ({
      ...fields,
      'user-agent': 'a-gateway/1.2.3',
      'x-request-id': '7f0c',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'anthropic-beta': 'interleaved-thinking-2025-05-14',
    }),
  },
};

/** Members that gateways add to the requests of a dialect. */
const own: { readonly [provider: string]: { readonly [name: string]: Json } } = {
  'openai-chat': { parallel_tool_calls: true, n: 1 },
  'openai-responses': { store: false, include: ['reasoning.encrypted_content'], parallel_tool_calls: true },
};

/** A tool whose schema has members that change nothing. */
function completed(tool: JsonObject): JsonObject {
  if (isObject(tool['function'])) return { ...tool, function: completed(objectIn(tool, 'function')) };
  const name = 'input_schema' in tool ? 'input_schema' : 'parameters';
  return { ...tool, [name]: { required: [], $defs: {}, ...objectIn(tool, name) } };
}
