/** Ollama's chat: requests, streamed and whole responses, and errors. It has no endpoint that counts tokens. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Dialect } from '../shared/dialect.ts';
import { decoder, readWhole } from './decode.ts';
import { renderer } from './render.ts';
import { readRequest, writeRequest } from './request.ts';
import { errorBody, instead, whole } from './whole.ts';

const details: JsonObject = {
  parent_model: '',
  format: 'gguf',
  family: 'wireproof',
  families: ['wireproof'],
  parameter_size: '0B',
  quantization_level: 'none',
};

const modified = { modified_at: '2026-01-01T00:00:00Z' };

const tags = (name: string): JsonObject => ({
  models: [{ name, model: name, ...modified, size: 0, digest: '0'.repeat(64), details }],
});

const show = (model: string): JsonObject => ({
  modelfile: '',
  parameters: '',
  template: '',
  details,
  model_info: {
    'general.architecture': 'wireproof',
    'general.basename': model,
    'wireproof.context_length': 131_072,
  },
  capabilities: ['completion', 'tools', 'thinking'],
  ...modified,
});

/** The dialect `ollama`. */
export const ollama: Dialect = {
  name: 'ollama',
  framing: 'ndjson',
  contentType: 'application/x-ndjson',
  paths: ['/api/chat'],
  fixed: [
    { method: 'GET', path: '/api/tags', answer: tags },
    { method: 'POST', path: '/api/show', answer: show },
    { method: 'GET', path: '/api/version', answer: () => ({ version: '0.0.0-wireproof' }) },
    { method: 'GET', path: '/', answer: () => 'Ollama is running' },
  ],
  callIdPrefix: 'call_',
  features: {
    thoughts: 'text',
    toolErrors: false,
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
  instead,
  errorBody,
  decoder,
  readWhole,
};
