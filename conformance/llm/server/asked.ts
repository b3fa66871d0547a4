/** What an exchange asks for: in which dialect, whether an answer or a count, and what the answer must keep to. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject, Metadata } from '../../../src/kit/base/index.ts';
import { dialectOf } from '../../../src/llm/index.ts';
import type { DialectName, LlmRequest } from '../../../src/llm/index.ts';
import { textOf } from './answer.ts';

/** What a path is for. */
export interface Purpose {
  readonly dialect: DialectName;
  readonly what: 'answer' | 'count';
}

/** By the end of a path: servers put their own parts before it. The longer ones come first. */
const purposes: readonly (readonly [end: string, purpose: Purpose])[] = [
  ['/messages/count_tokens', { dialect: 'anthropic', what: 'count' }],
  ['/responses/input_tokens', { dialect: 'openai-responses', what: 'count' }],
  ['/messages', { dialect: 'anthropic', what: 'answer' }],
  ['/chat/completions', { dialect: 'openai-chat', what: 'answer' }],
  ['/responses', { dialect: 'openai-responses', what: 'answer' }],
  ['/api/chat', { dialect: 'ollama', what: 'answer' }],
];

/**
 * What a path is for, if it is one that models are asked at.
 *
 * @example
 * purposeOf('/proxy/v1/messages?beta=true')?.dialect; // 'anthropic'
 */
export function purposeOf(path: string): Purpose | undefined {
  const bare = path.replace(/[?#].*$/, '').replace(/\/+$/, '');
  return purposes.find(([end]) => bare.endsWith(end))?.[1];
}

/** Whether an exchange is a WebSocket on which LM Studio's models are asked. */
export const isSocket = (metadata: Metadata | JsonObject): boolean =>
  metadata[':carrier'] === 'ws' &&
  textOf(metadata[':path'])
    .replace(/[?#].*$/, '')
    .endsWith('/llm');

/** The neutral request of a body; undefined where it is none, and has to be refused. */
export function requestOf(dialect: DialectName, body: Json): LlmRequest | undefined {
  const read = dialectOf[dialect].readRequest(body, {});
  return read.ok ? read.value : undefined;
}

/** What belongs to the answer, and not to the prompt that is counted. */
const ofTheAnswer: ReadonlySet<string> = new Set([
  'max_tokens',
  'max_output_tokens',
  'stream',
  'stop_sequences',
]);

/** Names a prompt: the same for a request and for its count. */
export function promptKey(dialect: DialectName, body: Json): string {
  if (!isObject(body)) return '';
  const prompt = Object.entries(body).filter(([name]) => !ofTheAnswer.has(name));
  const sorted = prompt.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${dialect} ${JSON.stringify(sorted)}`;
}
