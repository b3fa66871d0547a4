/** Anthropic's Messages API: requests, streamed and whole responses, errors and the counting of tokens. */
import type { Dialect } from '../shared/dialect.ts';
import { decoder } from './decode.ts';
import { renderer } from './render.ts';
import { countPath, readRequest, writeRequest } from './request.ts';
import { errorBody, readWhole, whole } from './whole.ts';

/** The dialect `anthropic`. */
export const anthropic: Dialect = {
  name: 'anthropic',
  framing: 'sse',
  contentType: 'text/event-stream; charset=utf-8',
  readRequest,
  writeRequest,
  renderer,
  whole,
  errorBody,
  decoder,
  readWhole,
  count: { path: countPath, answer: (tokens) => ({ input_tokens: tokens }) },
};
