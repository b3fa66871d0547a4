/** Prompts without messages: OpenAI's `/v1/completions` and Ollama's `/api/generate`. Calls are not sent. */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { ollama } from '../../dialects/ollama/index.ts';
import { openaiChat } from '../../dialects/openai-chat/index.ts';
import type { WholeResponse } from '../../dialects/shared/dialect.ts';
import type { Unit } from '../../messages.ts';
import { mapUnits } from './face.ts';
import type { Face } from './face.ts';

/** The text of a prompt: a string, or the first of a list. */
function promptOf(prompt: Json | undefined): Json {
  const [first] = isArray(prompt) ? prompt : [prompt];
  return first ?? '';
}

/** `POST /v1/completions`. */
export const completions: Face = {
  ...openaiChat,
  name: 'openai-completions',
  paths: ['/v1/completions'],
  readRequest(body, headers, path, given) {
    if (!isObject(body)) return openaiChat.readRequest(body, headers, path, given);
    const { prompt, ...more } = body;
    const asked = { ...more, messages: [{ role: 'user', content: promptOf(prompt) }] } as JsonObject;
    return named(openaiChat.readRequest(asked, headers, path, given), 'openai-completions');
  },
  renderer: (context) => mapUnits(openaiChat.renderer(context), completionUnit),
  whole(generation, context) {
    const { status, body } = openaiChat.whole(generation, context);
    return { status, body: completionBody(body) };
  },
};

function completionUnit({ data }: Unit): Unit | undefined {
  if (!isObject(data) || !('choices' in data)) return { data };
  const [choice] = isArray(data['choices']) ? data['choices'] : [];
  if (choice !== undefined && isObject(choice) && isObject(choice['delta']) && 'role' in choice['delta'])
    return undefined;
  return { data: completionBody(data) };
}

/** A chat completion or a chunk of one, as a text completion. */
function completionBody(body: Json): Json {
  if (!isObject(body) || !isArray(body['choices'])) return body;
  const { obfuscation: _, ...kept } = body;
  const choices = body['choices'].map((choice) => {
    const { delta, message, ...more } = isObject(choice) ? choice : {};
    const said = isObject(delta) ? delta : isObject(message) ? message : {};
    return { text: said['content'] ?? '', ...more };
  });
  return {
    ...kept,
    id: typeof body['id'] === 'string' ? body['id'].replace('chatcmpl-', 'cmpl-') : '',
    object: 'text_completion',
    choices,
  };
}

/** `POST /api/generate`. */
export const ollamaGenerate: Face = {
  ...ollama,
  name: 'ollama-generate',
  paths: ['/api/generate'],
  readRequest(body, headers, path) {
    if (!isObject(body)) return ollama.readRequest(body, headers, path);
    const { prompt, system, suffix: _, ...more } = body;
    const asked = {
      ...more,
      messages: [
        ...(typeof system === 'string' ? [{ role: 'system', content: system }] : []),
        { role: 'user', content: promptOf(prompt) },
      ],
    } as JsonObject;
    return named(ollama.readRequest(asked, headers, path), 'ollama-generate');
  },
  renderer: (context) => mapUnits(ollama.renderer(context), ({ data }) => ({ data: generateBody(data) })),
  whole(generation, context): WholeResponse {
    const { status, body } = ollama.whole(generation, context);
    return { status, body: generateBody(body) };
  },
};

function generateBody(body: Json): Json {
  if (!isObject(body) || !isObject(body['message'])) return body;
  const { message, ...more } = body;
  const { content = '', thinking } = message;
  const { model = '', created_at: created = '', ...rest } = more;
  return {
    model,
    created_at: created,
    response: content,
    ...(thinking === undefined ? {} : { thinking }),
    ...rest,
  };
}

/** The same result, whose request has the name of a face. */
function named(read: ReturnType<Face['readRequest']>, face: string): ReturnType<Face['readRequest']> {
  return read.ok ? { ok: true, value: { ...read.value, face } } : read;
}
