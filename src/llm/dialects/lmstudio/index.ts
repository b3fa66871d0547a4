/**
 * The dialect of LM Studio's native WebSocket protocol: messages of a `predict` channel. The connection around them is
 * in `server.ts` and `client.ts`; LM Studio's REST routes are other dialects.
 */
import type { Dialect } from '../shared/dialect.ts';
import { converse } from './conversation.ts';
import { converseCount } from './count.ts';
import { decoder, readWhole } from './decode.ts';
import { errorBody, renderer, whole } from './render.ts';
import { readRequest, writeRequest } from './request.ts';

/** LM Studio's dialect. It counts by a call on its connection, and has no counting endpoint. */
export const lmstudio: Dialect = {
  name: 'lmstudio',
  framing: 'message',
  contentType: 'application/json',
  // Predictions are channels of its WebSocket.
  paths: [],
  fixed: [{ method: 'GET', path: '/lmstudio-greeting', answer: () => ({ lmstudio: true }) }],
  callIdPrefix: 'call_',
  features: {
    thoughts: 'none',
    toolErrors: false,
    eagerTools: false,
    stopSequences: true,
    needsLimit: false,
    whole: false,
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
  converse,
  converseCount,
};
