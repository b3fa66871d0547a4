/** Ollama's chat: requests, streamed and whole responses, and errors. It has no endpoint that counts tokens. */
import type { Dialect } from '../shared/dialect.ts';
import { decoder } from './decode.ts';
import { renderer } from './render.ts';
import { readRequest, writeRequest } from './request.ts';
import { errorBody, instead, readWhole, whole } from './whole.ts';

/** The dialect `ollama`. */
export const ollama: Dialect = {
  name: 'ollama',
  framing: 'ndjson',
  contentType: 'application/x-ndjson',
  readRequest,
  writeRequest,
  renderer,
  whole,
  instead,
  errorBody,
  decoder,
  readWhole,
};
