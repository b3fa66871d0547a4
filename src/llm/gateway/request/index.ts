/** Requests in full: read from and written to the bodies of the dialects between which a gateway translates. */
import type { Json } from '../../../kit/base/index.ts';
import { readAnthropic } from './read-anthropic.ts';
import { readOllama } from './read-ollama.ts';
import { readOpenaiChat } from './read-openai-chat.ts';
import { readOpenaiResponses } from './read-openai-responses.ts';
import type { FullRequest, GatewayDialect, WriteOptions, WrittenRequest } from './request.ts';
import { writeAnthropic } from './write-anthropic.ts';
import { writeOllama } from './write-ollama.ts';
import { writeOpenaiChat } from './write-openai-chat.ts';
import { writeOpenaiResponses } from './write-openai-responses.ts';

interface RequestDialect {
  readonly read: (body: Json) => FullRequest;
  readonly write: (request: FullRequest, options: WriteOptions) => WrittenRequest;
}

const dialects: { readonly [D in GatewayDialect]: RequestDialect } = {
  anthropic: { read: readAnthropic, write: writeAnthropic },
  'openai-chat': { read: readOpenaiChat, write: writeOpenaiChat },
  'openai-responses': { read: readOpenaiResponses, write: writeOpenaiResponses },
  ollama: { read: readOllama, write: writeOllama },
};

/**
 * Reads the body of a request, as `exactJsonOf` parses it. Reads any JSON: members that it does not know, or whose values have
 * another kind, are in `unknown`, `more` and parts of kind `other`.
 *
 * @example
 * const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 10, seed: 7 };
 * readFullRequest('openai-chat', body).unknown; // { seed: 7 }
 */
export const readFullRequest = (dialect: GatewayDialect, body: Json): FullRequest =>
  dialects[dialect].read(body);

/**
 * Writes a request in the words of a dialect. In the dialect that it came from, nothing of it is changed or left out; in another
 * one it becomes a request that the dialect's provider takes, and `lost` names what the dialect has no word for.
 *
 * @example
 * const request = readFullRequest('openai-chat', { model: 'm', messages: [], stop: 'END' });
 * writeFullRequest('openai-responses', request).lost; // ['stop']
 */
export const writeFullRequest = (
  dialect: GatewayDialect,
  request: FullRequest,
  options: WriteOptions = {},
): WrittenRequest => dialects[dialect].write(request, options);
