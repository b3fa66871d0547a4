/** Google's Gemini API: `generateContent`, `streamGenerateContent` and `countTokens`, both ways. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Dialect } from '../shared/dialect.ts';
import { decoder, readWhole } from './decode.ts';
import { errorBody } from './errors.ts';
import { renderer } from './render.ts';
import { pathOf, readRequest, writeCount, writeRequest } from './request.ts';
import { whole } from './whole.ts';

const model = (name: string): JsonObject => ({
  name: `models/${name}`,
  displayName: name,
  inputTokenLimit: 1_048_576,
  outputTokenLimit: 65_536,
  supportedGenerationMethods: ['generateContent', 'countTokens'],
});

/**
 * The dialect `gemini`: SSE of `data:` lines that the end of the body ends.
 *
 * @example
 * gemini.writeRequest({ dialect: 'gemini', model: 'm', messages: [{ role: 'user', content: 'hi' }], tools: [], stream: true, includeUsage: true }).path; // '/v1beta/models/m:streamGenerateContent?alt=sse'
 */
export const gemini: Dialect = {
  name: 'gemini',
  framing: 'sse',
  contentType: 'text/event-stream',
  paths: [],
  pattern: /\/models\/[^/:]+:(generateContent|streamGenerateContent)$/,
  fixed: [
    { method: 'GET', path: '/v1beta/models', answer: (name) => ({ models: [model(name)] }) },
    { method: 'GET', path: '/v1beta/models/*', answer: model },
  ],
  callIdPrefix: 'call_',
  features: {
    thoughts: 'signed',
    toolErrors: true,
    eagerTools: 'all',
    stopSequences: true,
    needsLimit: false,
    whole: true,
    serverTools: false,
    customTools: false,
    signedCalls: true,
    optionalUsage: false,
  },
  readRequest,
  writeRequest,
  renderer,
  // A call that is cut does not go out, unless its arguments stream.
  visibleArguments: (_json, end, tool) => (tool?.eager === true ? end : 0),
  whole,
  errorBody,
  decoder,
  readWhole,
  count: {
    path: '/v1beta/models/*:countTokens',
    pathOf: ({ model: name }) => pathOf(name, 'countTokens'),
    pattern: /\/models\/[^/:]+:countTokens$/,
    body: writeCount,
    answer: (totalTokens) => ({ totalTokens }),
  },
};
