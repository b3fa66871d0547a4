/**
 * The dialect of LM Studio's native WebSocket protocol: messages of a `predict` channel. The connection around them is
 * in `server.ts` and `client.ts`; LM Studio's REST routes are other dialects.
 */
import type { Dialect } from '../shared/dialect.ts';
import { decoder, readWhole } from './decode.ts';
import { errorBody, renderer, whole } from './render.ts';
import { readRequest, writeRequest } from './request.ts';

/** LM Studio's dialect. It counts by a call on its connection, so that there is no counting endpoint. */
export const lmstudio: Dialect = {
  name: 'lmstudio',
  framing: 'message',
  contentType: 'application/json',
  readRequest,
  writeRequest,
  renderer,
  whole,
  errorBody,
  decoder,
  readWhole,
};
