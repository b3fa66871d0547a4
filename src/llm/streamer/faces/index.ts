/** The further routes of the streamer: faces, and fixed and computed answers. */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { gemini } from '../../dialects/gemini/index.ts';
import { ollama } from '../../dialects/ollama/index.ts';
import { compacted } from '../../dialects/openai-responses/compact.ts';
import { openaiChat } from '../../dialects/openai-chat/index.ts';
import type { Tokenizer } from '../../dialects/shared/tokenizer.ts';
import { completions, ollamaGenerate } from './completions.ts';
import {
  geminiBatchEmbed,
  geminiEmbed,
  ollamaEmbed,
  ollamaEmbedding,
  openaiEmbeddings,
} from './embeddings.ts';
import type { Embeddings } from './embeddings.ts';
import type { Face } from './face.ts';
import { geminiList } from './gemini-list.ts';
import { lmstudioChat } from './lmstudio-chat.ts';

/** The faces besides the dialects. */
export const faces: readonly Face[] = [completions, ollamaGenerate, geminiList, lmstudioChat];

/** An answer that is computed from the request's body. */
export interface ComputedAnswer {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The paths of the answer, where one path cannot say them. */
  readonly pattern?: RegExp;
  readonly answer: (body: Json | undefined, model: string, tokenizer: Tokenizer) => JsonObject;
}

/** An answer that is made piece by piece, as its client reads. */
export interface PieceAnswer {
  readonly path: string;
  /** The paths of the answer, where one path cannot say them. */
  readonly pattern?: RegExp;
  /** The dialect of its refusals. */
  readonly refusals: Pick<Face, 'errorBody'>;
  readonly answer: (body: Json | undefined, model: string, tokenizer: Tokenizer) => Embeddings;
}

export const inPieces: readonly PieceAnswer[] = [
  { path: '/v1/embeddings', refusals: openaiChat, answer: openaiEmbeddings },
  { path: '/api/embed', refusals: ollama, answer: ollamaEmbed },
  { path: '', pattern: /\/models\/[^/:]+:batchEmbedContents$/, refusals: gemini, answer: geminiBatchEmbed },
];

export const computed: readonly ComputedAnswer[] = [
  { method: 'POST', path: '/v1/responses/compact', answer: compacted },
  { method: 'POST', path: '/api/embeddings', answer: ollamaEmbedding },
  { method: 'POST', path: '', pattern: /\/models\/[^/:]+:embedContent$/, answer: geminiEmbed },
  { method: 'GET', path: '/api/ps', answer: (_, model) => ({ models: [running(model)] }) },
  { method: 'GET', path: '/health', answer: () => ({ status: 'ok' }) },
];

const running = (model: string): JsonObject => ({
  name: model,
  model,
  size: 0,
  digest: '0'.repeat(64),
  details: { parent_model: '', format: 'gguf', family: 'wireproof', families: ['wireproof'] },
  expires_at: '2126-01-01T00:00:00Z',
  size_vram: 0,
});
