/** Lawful clients whose requests are unusual. Providers answered such requests with 200. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
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
import type { ClientFaults } from '../mutants/mutant.ts';
import { continueAtServer } from '../mutants/requests.ts';

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

/** Whether a call of the provider's tools waits for the client's results: then nothing but results may follow. */
const isWaiting = (message: unknown): boolean => JSON.stringify(message ?? '').includes('srvtoolu_running');

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

/** The dialects that refuse empty messages. */
const refusesEmpty: ReadonlySet<string> = new Set(['anthropic', 'gemini', 'bedrock', 'gemini-interactions']);

const turnOf = (make: (options: TurnOptions) => ClientTurn): ClientParts => ({ turn: make });

/** Clients with unusual requests. */
export const lawfulRequests: ClientFaults = {
  'continues-at-server': continueAtServer(),
  'leaves-out-tool-type': editList(
    'tools',
    (tools) => tools.map((tool) => (isChatTool(tool) ? { function: tool.function } : tool)),
    'stream_options',
  ),
  'begins-with-assistant': editList(
    'messages',
    (messages) => [{ role: 'assistant', content: 'What can I do?' }, ...messages],
    'max_tokens',
  ),
  'text-behind-results': editList(
    'messages',
    (messages) =>
      messages.map((message, i) =>
        hasResults(message) && !isWaiting(messages[i - 1]) ? withText(message) : message,
      ),
    'max_tokens',
  ),
  'names-its-items': editList('input', (items) =>
    items.map((item) => (isCallItem(item) ? { ...item, id: `fc_${item.call_id}` } : item)),
  ),
  'sends-image-alone': editList(
    'messages',
    (messages) => [{ role: 'user', content: [image] }, ...messages],
    'max_tokens',
  ),
  'answers-without-ids': editList('contents', (contents) => contents.map((content) => withoutIds(content))),
  'skips-the-signature': editList('contents', (contents) => contents.map((content) => skipping(content))),
  'own-words-after-limit': turnOf((options) => new OwnWords(options)),
  'no-words-after-limit': turnOf((options) =>
    refusesEmpty.has(options.dialect) ? new OwnWords(options) : new NoWords(options),
  ),
};

/** Edits the parts of one of Gemini's contents. */
const inParts = (content: unknown, edit: (part: Record<string, unknown>) => object): unknown =>
  isObject(content) && isArray(content['parts'])
    ? { ...content, parts: content['parts'].map((part) => (isObject(part) ? edit(part) : part)) }
    : content;

const withoutId = (value: unknown): unknown => {
  if (!isObject(value)) return value;
  const { id: _, ...more } = value;
  return more;
};

/** A content whose calls and results have no ids. */
const withoutIds = (content: unknown): unknown =>
  inParts(content, (part) =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => [
        name,
        name === 'functionCall' || name === 'functionResponse' ? withoutId(value) : value,
      ]),
    ),
  );

/** A content whose signatures are replaced by a word of the documentation. */
const skipping = (content: unknown): unknown =>
  inParts(content, (part) =>
    'thoughtSignature' in part ? { ...part, thoughtSignature: 'skip_thought_signature_validator' } : part,
  );
