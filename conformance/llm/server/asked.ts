/** The purpose of an exchange: its dialect, whether it asks for an answer or a count, and the neutral request. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject, Metadata } from '../../../src/kit/base/index.ts';
import { dialectOf } from '../../../src/llm/index.ts';
import type { DialectName, LlmRequest } from '../../../src/llm/index.ts';
import { at, items } from './dialects/reader.ts';
import { textOf } from './words.ts';

/** The purpose of a path. */
export interface Purpose {
  readonly dialect: DialectName;
  readonly what: 'answer' | 'count';
  /** The whole path, where the dialect's requests depend on it. */
  readonly path?: string;
}

/** Purposes by the end of the path, because servers put their own parts before it. Longer ends come first. */
const purposes: readonly (readonly [end: string, purpose: Purpose])[] = [
  ['/messages/count_tokens', { dialect: 'anthropic', what: 'count' }],
  ['/responses/input_tokens', { dialect: 'openai-responses', what: 'count' }],
  ['/messages', { dialect: 'anthropic', what: 'answer' }],
  ['/chat/completions', { dialect: 'openai-chat', what: 'answer' }],
  ['/responses', { dialect: 'openai-responses', what: 'answer' }],
  ['/api/chat', { dialect: 'ollama', what: 'answer' }],
  [':generateContent', { dialect: 'gemini', what: 'answer' }],
  [':streamGenerateContent', { dialect: 'gemini', what: 'answer' }],
  [':countTokens', { dialect: 'gemini', what: 'count' }],
  ['/interactions', { dialect: 'gemini-interactions', what: 'answer' }],
  ['/converse', { dialect: 'bedrock', what: 'answer' }],
  ['/converse-stream', { dialect: 'bedrock', what: 'answer' }],
];

/**
 * The purpose of a path. Undefined when it is no path of a model server.
 *
 * @example
 * purposeOf('/proxy/v1/messages?beta=true')?.dialect; // 'anthropic'
 */
export function purposeOf(path: string): Purpose | undefined {
  const bare = path.replace(/[?#].*$/, '').replace(/\/+$/, '');
  return purposes.find(([end]) => bare.endsWith(end))?.[1];
}

/** The dialect of a WebSocket; undefined for another exchange. */
export function socketDialect(metadata: Metadata | JsonObject): 'lmstudio' | 'openai-responses' | undefined {
  if (metadata[':carrier'] !== 'ws') return undefined;
  const path = textOf(metadata[':path']);
  if (path.replace(/[?#].*$/, '').endsWith('/llm')) return 'lmstudio';
  return purposeOf(path)?.dialect === 'openai-responses' ? 'openai-responses' : undefined;
}

/**
 * The neutral request of a body. Undefined when the body is invalid and must be refused.
 *
 * @param path - the path of the request, which names the model of Gemini and Bedrock
 */
export function requestOf(dialect: DialectName, body: Json, path?: string): LlmRequest | undefined {
  const read = dialectOf[dialect].readRequest(body, {}, path);
  return read.ok ? read.value : undefined;
}

/** Members of a request that are about the answer, and not about the counted prompt. */
const ofTheAnswer: ReadonlySet<string> = new Set([
  'max_tokens',
  'max_output_tokens',
  'stream',
  'stop_sequences',
  'generationConfig',
  'inferenceConfig',
  'generation_config',
]);

/** The key of a prompt. It is the same for a request and for its count. */
export function promptKey(dialect: DialectName, body: Json): string {
  if (!isObject(body)) return '';
  // A count of Gemini's has the request inside, with its model.
  const { generateContentRequest: inner } = body;
  if (dialect === 'gemini' && isObject(inner)) {
    const { model: _, ...counted } = inner;
    return promptKey(dialect, counted);
  }
  const prompt = Object.entries(body).filter(([name]) => !ofTheAnswer.has(name));
  const sorted = prompt.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${dialect} ${JSON.stringify(sorted)}`;
}

/** The names of the tools that a request of OpenAI Responses lets the model call. Undefined: all that it offers. */
export function allowedTools(asked: unknown): readonly unknown[] | undefined {
  const choice = at(asked, 'tool_choice');
  if (choice === 'none') return [];
  if (at(choice, 'type') !== 'allowed_tools') return undefined;
  return at(choice, 'mode') === 'none' ? [] : items(at(choice, 'tools')).map((tool) => at(tool, 'name'));
}
