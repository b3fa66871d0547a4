/**
 * LM Studio's own REST API, `POST /api/v1/chat` (LM Studio docs, REST API: Chat with a model; Streaming events). It takes no
 * tools of the client, so calls are not sent, and its statistics have no stop reason.
 */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { parameterReader } from '../../dialects/lmstudio/request.ts';
import { lmstudio } from '../../dialects/lmstudio/index.ts';
import { present } from '../../dialects/shared/body-reader.ts';
import type { BodyReader } from '../../dialects/shared/body-reader.ts';
import type { ErrorResponse } from '../../dialects/shared/dialect.ts';
import { retryHeaders } from '../../dialects/shared/http-error.ts';
import type { GeneratedBlock, ProviderError, RenderContext, Renderer, Unit } from '../../messages.ts';
import type { Face } from './face.ts';

const known: ReadonlySet<string> = new Set(
  (
    'model input system_prompt stream max_output_tokens integrations temperature top_p top_k min_p repeat_penalty ' +
    'reasoning context_length store'
  ).split(' '),
);

/** `POST /api/v1/chat`. */
export const lmstudioChat: Face = {
  ...lmstudio,
  name: 'lmstudio-chat',
  framing: 'sse',
  contentType: 'text/event-stream',
  paths: ['/api/v1/chat'],
  readRequest(body) {
    const reader = parameterReader();
    const fields = reader.body(body);
    reader.ignoreOthers(fields, known);
    const { model, input, system_prompt: system, stream, max_output_tokens: most, store } = fields;
    // Nothing is kept here, and each answer has an id.
    if (store === false) reader.ignore('store');
    return reader.request({
      dialect: 'lmstudio',
      face: 'lmstudio-chat',
      model: reader.string(model, 'model'),
      ...(present(system) ? { system: reader.string(system, 'system_prompt') } : {}),
      messages: [{ role: 'user', content: textOf(reader, input) }],
      tools: [],
      ...(present(most) ? { maxTokens: reader.integer(most, 'max_output_tokens') } : {}),
      stream: present(stream) && reader.boolean(stream, 'stream'),
      includeUsage: true,
    });
  },
  renderer: (context) => new ChatRenderer(context),
  whole: ({ blocks }, context) =>
    context.end.error === undefined
      ? { status: 200, body: resultOf(blocks.flatMap(itemOf), context) }
      : errorBody(context.end.error),
  errorBody,
};

/** A text, or a list of parts of which texts are read. */
function textOf(reader: BodyReader, input: Json | undefined): string {
  if (!Array.isArray(input)) return reader.string(input, 'input');
  return reader
    .array(input, 'input')
    .map((part, i) => reader.object(part, `input[${i}]`)['content'])
    .filter((text) => typeof text === 'string')
    .join('\n');
}

/** The words of a kind of text: its item, and the start of its events. */
const wordOf = ({ kind }: GeneratedBlock): 'message' | 'reasoning' | undefined => {
  if (kind === 'text') return 'message';
  return kind === 'thinking' ? 'reasoning' : undefined;
};

function itemOf(block: GeneratedBlock): readonly JsonObject[] {
  const type = wordOf(block);
  return type === undefined ? [] : [{ type, content: block.text }];
}

const unit = (type: string, more: JsonObject = {}): Unit => ({ event: type, data: { type, ...more } });

/** Renders one stream: from `chat.start` to `chat.end`, which has the whole answer. */
class ChatRenderer implements Renderer {
  readonly #context: RenderContext;
  readonly #output: JsonObject[] = [];

  constructor(context: RenderContext) {
    this.#context = context;
  }

  begin(): readonly Unit[] {
    return [
      unit('chat.start', { model_instance_id: this.#context.request.model }),
      unit('prompt_processing.start'),
      unit('prompt_processing.progress', { progress: 0 }),
      unit('prompt_processing.progress', { progress: 1 }),
      unit('prompt_processing.end'),
    ];
  }

  open(block: GeneratedBlock): readonly Unit[] {
    const word = wordOf(block);
    return word === undefined ? [] : [unit(`${word}.start`)];
  }

  piece(content: string, block: GeneratedBlock): readonly Unit[] {
    const word = wordOf(block);
    return word === undefined ? [] : [unit(`${word}.delta`, { content })];
  }

  close(block: GeneratedBlock): readonly Unit[] {
    const word = wordOf(block);
    const { end } = this.#context;
    this.#output.push(...itemOf(block));
    const breaksOff = !block.complete && (end.signal === 'missing' || end.error !== undefined);
    return word === undefined || breaksOff ? [] : [unit(`${word}.end`)];
  }

  /** "The final payload will still be sent in chat.end with whatever was generated", also behind an error. */
  end(): readonly Unit[] {
    const { error, signal } = this.#context.end;
    const last = unit('chat.end', { result: resultOf(this.#output, this.#context) });
    if (error !== undefined) return [unit('error', { error: errorObject(error) }), last];
    return signal === 'missing' ? [] : [last];
  }
}

/** The whole answer. Its speed is made up: the same script and seed must give the same bytes. */
function resultOf(output: readonly JsonObject[], { request, end, id }: RenderContext): JsonObject {
  const {
    inputTokens,
    outputTokens,
    cacheReadTokens = 0,
    cacheWriteTokens = 0,
    thinkingTokens = 0,
  } = end.usage;
  return {
    model_instance_id: request.model,
    output,
    stats: {
      input_tokens: inputTokens + cacheReadTokens + cacheWriteTokens,
      total_output_tokens: outputTokens,
      reasoning_output_tokens: thinkingTokens,
      tokens_per_second: 50,
      time_to_first_token_seconds: 0.1,
    },
    response_id: id('resp_'),
  };
}

/** The types of errors of the API, by the neutral ones. */
const errorTypes: ReadonlyMap<string, string> = new Map([
  ['invalid_request', 'invalid_request'],
  ['context_overflow', 'invalid_request'],
  ['not_found', 'model_not_found'],
]);

const errorObject = ({ type, message }: ProviderError): JsonObject => ({
  type: errorTypes.get(type) ?? 'internal_error',
  message,
});

/** An error before the stream: the error of its event. */
function errorBody(error: ProviderError): ErrorResponse {
  return {
    status: error.status ?? 500,
    headers: retryHeaders(error),
    body: { error: errorObject(error) },
  };
}
