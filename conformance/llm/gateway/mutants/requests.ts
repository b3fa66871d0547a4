/** Faults in the request to the provider. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Faults } from '../../../../src/kit/suite/index.ts';
import type { FullMessage, FullPart, FullRequest, GatewayParts } from '../../../../src/llm/gateway/index.ts';

type Tool = FullRequest['tools'][number];

/** Edits the messages of a request. */
const onMessages = (edit: (messages: readonly FullMessage[]) => readonly FullMessage[]): GatewayParts => ({
  request: (request) => ({ ...request, messages: edit(request.messages) }),
});

/** Replaces each part of the messages, those in results too. */
const onParts = (edit: (part: FullPart) => readonly FullPart[]): GatewayParts =>
  onMessages((messages) =>
    messages.map((message) => ({ ...message, parts: message.parts.flatMap((part) => edit(part)) })),
  );

const onTools = (edit: (tool: Tool) => Tool): GatewayParts => ({
  request: (request) => ({ ...request, tools: request.tools.map(edit) }),
});

const membersBut = (object: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

const isResult = ({ kind }: FullPart): boolean => kind === 'result';

const isFirst = (messages: readonly FullMessage[], i: number): boolean =>
  messages.slice(0, i).every(({ role }) => role === 'system');

/** The body with another member. */
const onBody = (edit: (body: JsonObject) => JsonObject): GatewayParts => ({
  asked: (body) => (isObject(body) ? edit(body) : body),
});

/** Anthropic's blocks of one message, with the results last. */
function resultsLast(message: Json): Json {
  if (!isObject(message) || !isArray(message['content'])) return message;
  const isOne = (block: Json): boolean => isObject(block) && block['type'] === 'tool_result';
  const { content } = message;
  return { ...message, content: [...content.filter((one) => !isOne(one)), ...content.filter(isOne)] };
}

const messageFaults: Faults<GatewayParts> = {
  'thoughts-not-sent-back': onParts((part) =>
    part.kind === 'thought' || part.kind === 'redacted' ? [] : [part],
  ),
  'later-system-lost': onMessages((messages) =>
    messages.filter(({ role }, i) => role !== 'system' || isFirst(messages, i)),
  ),
  'system-lost': onMessages((messages) =>
    messages.filter(({ role }, i) => role !== 'system' || !isFirst(messages, i)),
  ),
  'messages-swapped': onMessages((messages) => {
    const own = messages.filter(({ role, parts }) => role === 'user' && !parts.some(isResult));
    return messages.map((message) => {
      const at = own.indexOf(message);
      return at < 0 ? message : (own[own.length - 1 - at] ?? message);
    });
  }),
  'text-normalised': onParts((part) =>
    part.kind === 'text' ? [{ ...part, text: part.text.trim().replaceAll(/\n+/g, '\n') }] : [part],
  ),
  'results-after-text': onBody((body) =>
    isArray(body['messages']) ? { ...body, messages: body['messages'].map(resultsLast) } : body,
  ),
  'result-ids-empty': onParts((part) => (part.kind === 'result' ? [{ ...part, id: '' }] : [part])),
  'results-exchanged': onMessages((messages) =>
    messages.map((message) => {
      const ids = message.parts.flatMap((part) => (part.kind === 'result' ? [part.id] : [])).toReversed();
      return {
        ...message,
        parts: message.parts.map((part) =>
          part.kind === 'result' ? { ...part, id: ids.shift() ?? part.id } : part,
        ),
      };
    }),
  ),
  'image-as-text': onParts((part) =>
    part.kind === 'image' ? [{ kind: 'text', text: part.data ?? part.url ?? '' }] : [part],
  ),
  'image-in-result-lost': onParts((part) =>
    part.kind === 'result' ? [{ ...part, parts: part.parts.filter(({ kind }) => kind === 'text') }] : [part],
  ),
};

const toolFaults: Faults<GatewayParts> = {
  'schemas-opened': onTools((tool) => ({
    ...tool,
    schema: membersBut(tool.schema, 'additionalProperties'),
  })),
  'tools-emptied': { request: (request) => ({ ...request, tools: [] }) },
  'descriptions-lost': onTools(({ name, schema }) => ({ name, schema })),
  'schemas-rebuilt': onTools(({ schema: { properties = {}, required = [] }, ...tool }) => ({
    ...tool,
    schema: { type: 'object', properties, required },
  })),
  'any-to-chat': onBody((body) =>
    body['tool_choice'] === 'required' ? { ...body, tool_choice: 'any' } : body,
  ),
  'none-as-auto': {
    request: (request) => (request.choice === 'none' ? { ...request, choice: 'auto' } : request),
  },
  'parallel-lost': {
    request: (request) => {
      const { parallel: _, ...rest } = request;
      return rest;
    },
  },
};

function withoutStop(request: FullRequest): FullRequest {
  const { stop: _, ...rest } = request;
  return rest;
}

const valueFaults: Faults<GatewayParts> = {
  'stop-dropped': {
    request: (request, { route }) => (route.provider === 'openai-responses' ? withoutStop(request) : request),
  },
  'default-limit': { request: (request) => ({ ...request, limit: 4096 }) },
  'zero-unset': {
    request: (request) => {
      const { temperature, ...rest } = request;
      return temperature === 0 ? rest : request;
    },
  },
  'top-p-lost': {
    request: (request) => {
      const { topP: _, ...rest } = request;
      return rest;
    },
  },
  'stop-lost': {
    request: (request, { route }) => (route.provider === 'openai-responses' ? request : withoutStop(request)),
  },
  'format-lost': {
    request: (request) => {
      const { format: _, ...rest } = request;
      return rest;
    },
  },
  'most-below-more': {
    request: (request) =>
      request.effort === 'max' || request.effort === 'high' ? { ...request, effort: 'low' } : request,
  },
  'display-invented': onBody((body) =>
    isObject(body['thinking']) ? { ...body, thinking: { ...body['thinking'], display: 'summarized' } } : body,
  ),
  'temperature-invented': { request: (request) => ({ temperature: 0.5, ...request }) },
  'system-invented': onMessages((messages) => [
    { role: 'system', parts: [{ kind: 'text', text: 'You are a helpful gateway.' }] },
    ...messages,
  ]),
  'previous-ignored': {
    request: (request) => {
      const { previous: _, ...rest } = request;
      return rest;
    },
  },
};

export const requestFaults: Faults<GatewayParts> = { ...messageFaults, ...toolFaults, ...valueFaults };
