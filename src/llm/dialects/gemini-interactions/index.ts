/** Google's Interactions API, `POST /v1beta/interactions`, both ways. */
import type { Dialect } from '../shared/dialect.ts';
import { decoder, readWhole } from './decode.ts';
import { errorBody } from './errors.ts';
import { renderer } from './render.ts';
import { interactionsPath, readRequest, writeRequest } from './request.ts';
import { whole } from './whole.ts';

/**
 * The dialect `gemini-interactions`: SSE whose events are the steps of an interaction, which the provider can keep.
 *
 * @example
 * geminiInteractions.writeRequest({ dialect: 'gemini-interactions', model: 'm', messages: [{ role: 'user', content: 'hi' }], tools: [], stream: true, includeUsage: true }).path; // '/v1beta/interactions'
 */
export const geminiInteractions: Dialect = {
  name: 'gemini-interactions',
  framing: 'sse',
  contentType: 'text/event-stream',
  paths: [interactionsPath],
  // Also those of Vertex AI, behind a project and a location.
  pattern: /\/interactions$/,
  fixed: [],
  callIdPrefix: 'call_',
  features: {
    thoughts: 'signed',
    toolErrors: true,
    eagerTools: false,
    stopSequences: true,
    needsLimit: false,
    whole: true,
    serverTools: false,
    customTools: false,
    optionalUsage: false,
  },
  readRequest,
  writeRequest,
  renderer,
  whole,
  errorBody,
  decoder,
  readWhole,
};
