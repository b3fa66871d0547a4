/** The golden vectors of LLM streams, one file a dialect: tables written by hand, and random cases. */
import type { VectorFile } from '../../../src/kit/spec/index.ts';
import { seededRandom } from '../../../src/kit/world/index.ts';
import { anthropicCases } from './anthropic.ts';
import { lmstudioCases } from './lmstudio.ts';
import { ollamaCases } from './ollama.ts';
import { openaiChatCases } from './openai-chat.ts';
import { openaiResponsesCases } from './openai-responses.ts';

const dialects = {
  anthropic: anthropicCases,
  'openai-chat': openaiChatCases,
  'openai-responses': openaiResponsesCases,
  ollama: ollamaCases,
  lmstudio: lmstudioCases,
} as const;

/**
 * The files of vectors that a seed makes: the same for the same seed. Each dialect has its own sequence, so that a case
 * more in one changes no other.
 */
export const llmCases = (seed: string): readonly VectorFile[] =>
  Object.entries(dialects).map(([dialect, cases]) => cases(seed, seededRandom(`${seed} ${dialect}`)));
