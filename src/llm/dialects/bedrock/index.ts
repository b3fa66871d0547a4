/** Amazon Bedrock's `Converse` and `ConverseStream`, both ways. Signatures of requests (SigV4) are taken, and never checked. */
import type { Dialect } from '../shared/dialect.ts';
import { decoder, readWhole } from './decode.ts';
import { renderer } from './render.ts';
import { readRequest, writeRequest } from './request.ts';
import { errorBody, whole } from './whole.ts';

/**
 * The dialect `bedrock`: a binary event stream, whose usage comes after its stop.
 *
 * @example
 * bedrock.writeRequest({ dialect: 'bedrock', model: 'm', messages: [{ role: 'user', content: 'hi' }], tools: [], stream: true, includeUsage: true }).path; // '/model/m/converse-stream'
 */
export const bedrock: Dialect = {
  name: 'bedrock',
  framing: 'eventstream',
  contentType: 'application/vnd.amazon.eventstream',
  headers: (id) => ({ 'x-amzn-requestid': id }),
  paths: [],
  pattern: /\/model\/[^/]+\/converse(-stream)?$/,
  fixed: [
    {
      method: 'GET',
      path: '/foundation-models',
      answer: (modelId) => ({ modelSummaries: [{ modelId, modelName: modelId }] }),
    },
  ],
  callIdPrefix: 'tooluse_',
  features: {
    thoughts: 'signed',
    toolErrors: true,
    eagerTools: false,
    stopSequences: true,
    needsLimit: false,
    whole: true,
    serverTools: false,
    hiddenThoughts: true,
    customTools: false,
    namesTools: true,
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
