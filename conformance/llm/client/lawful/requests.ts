/** Lawful clients whose requests are unusual. Providers answered such requests with 200. */
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { isObject } from '../../../../src/kit/base/index.ts';
import { ClientTurn } from '../../../../src/llm/index.ts';
import type {
  ClientParts,
  Decoded,
  LlmMessage,
  LlmRequest,
  TurnOptions,
  TurnResult,
} from '../../../../src/llm/index.ts';
import { changeExchange } from '../mutants/mutant.ts';
import { continueAtServer } from '../mutants/requests.ts';
import { client } from '../target.ts';

/** Makes a lawful client: the reference with other parts. */
const lawful = (
  id: string,
  title: string,
  parts: ClientParts,
  unseen: LawfulPeer['unseen'] = {},
  allowed = 'spec/llm/FACTS.md, Requests that providers answered with 200',
): LawfulPeer => ({
  id,
  unseen,
  title,
  allowed,
  make: (reference) => client(parts, reference),
});

/** Changes the messages of a request, or its tools, in the body of these dialects. */
const editList = (
  field: string,
  edit: (list: readonly unknown[]) => readonly unknown[],
  path = '',
): ClientParts =>
  changeExchange({
    body: (body) => {
      const list = body[field];
      return Array.isArray(list) && (path === '' || path in body)
        ? { ...body, [field]: edit(list) as never }
        : body;
    },
  });

const isChatTool = (tool: unknown): tool is { readonly function: unknown } =>
  typeof tool === 'object' && tool !== null && 'function' in tool;

const isCallItem = (item: unknown): item is { readonly call_id: string } =>
  isObject(item) && item['type'] === 'function_call' && typeof item['call_id'] === 'string';

/** A message with blocks, the first of which is a result. */
const hasResults = (message: unknown): message is { readonly content: readonly unknown[] } =>
  isObject(message) &&
  Array.isArray(message['content']) &&
  isObject(message['content'][0]) &&
  message['content'][0]['type'] === 'tool_result';

const withText = (message: { readonly content: readonly unknown[] }): object => ({
  ...message,
  content: [...message.content, { type: 'text', text: 'Go on.' }],
});

/** A turn that continues after the limit, with an answer of its own in the model's place. */
class OwnWords extends ClientTurn {
  #added: readonly LlmMessage[] = [];

  override request(): LlmRequest {
    const request = super.request();
    return { ...request, messages: [...request.messages, ...this.#added] };
  }

  override took(decoded: Decoded): TurnResult | undefined {
    const result = super.took(decoded);
    const { error, response } = decoded;
    if (error !== undefined || response.metadata.stopReason !== 'max_tokens' || this.#added.length > 0)
      return result;
    this.#added = [
      { role: 'assistant', content: 'My last answer was too long.' },
      { role: 'user', content: 'Continue, in smaller steps.' },
    ];
    return undefined;
  }
}

/** A turn that sends an empty message in the place of an answer that the limit cut. */
class NoWords extends OwnWords {
  override request(): LlmRequest {
    const request = super.request();
    const empty = (message: LlmMessage): LlmMessage =>
      message.content.startsWith('My last answer') ? { ...message, content: '' } : message;
    return { ...request, messages: request.messages.map(empty) };
  }
}

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } } as const;

const turnOf = (make: (options: TurnOptions) => ClientTurn): ClientParts => ({ turn: make });

const goesOn = { 'LLM-C04': 'its result is that of the answer after the limit' };

/** Clients with unusual requests. */
export const lawfulRequests: readonly LawfulPeer[] = [
  lawful(
    'continues-at-server',
    'sends only the results, and previous_response_id (Responses)',
    continueAtServer(),
  ),
  lawful(
    'leaves-out-tool-type',
    'sends tools without type (Chat, as Mistral accepts)',
    editList(
      'tools',
      (tools) => tools.map((tool) => (isChatTool(tool) ? { function: tool.function } : tool)),
      'stream_options',
    ),
  ),
  lawful(
    'begins-with-assistant',
    'puts a message of the assistant before the first one of the user (Anthropic)',
    editList(
      'messages',
      (messages) => [{ role: 'assistant', content: 'What can I do?' }, ...messages],
      'max_tokens',
    ),
  ),
  lawful(
    'text-behind-results',
    'puts a text behind the results of calls, in the same message (Anthropic)',
    editList(
      'messages',
      (messages) => messages.map((message) => (hasResults(message) ? withText(message) : message)),
      'max_tokens',
    ),
    {},
    'https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use: any text must come after all tool results',
  ),
  lawful(
    'names-its-items',
    'sends calls as items with ids of their own (Responses)',
    editList('input', (items) =>
      items.map((item) => (isCallItem(item) ? { ...item, id: `fc_${item.call_id}` } : item)),
    ),
    {},
    'https://platform.openai.com/docs/guides/function-calling: items of the answer go back as they came',
  ),
  lawful(
    'sends-image-alone',
    'puts a message of one image before the others (Anthropic)',
    editList('messages', (messages) => [{ role: 'user', content: [image] }, ...messages], 'max_tokens'),
  ),
  lawful(
    'own-words-after-limit',
    'continues after the limit with a message of the assistant of its own making',
    turnOf((options) => new OwnWords(options)),
    goesOn,
  ),
  lawful(
    'no-words-after-limit',
    'continues after the limit with an empty message of the assistant',
    turnOf((options) => (options.dialect === 'anthropic' ? new OwnWords(options) : new NoWords(options))),
    goesOn,
  ),
];
