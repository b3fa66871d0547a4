/** The dialects by name. */
import type { DialectName } from '../messages.ts';
import { anthropic } from './anthropic/index.ts';
import { bedrock } from './bedrock/index.ts';
import { gemini } from './gemini/index.ts';
import { geminiInteractions } from './gemini-interactions/index.ts';
import type { Dialect } from './shared/dialect.ts';
import { lmstudio } from './lmstudio/index.ts';
import { ollama } from './ollama/index.ts';
import { openaiChat } from './openai-chat/index.ts';
import { openaiResponses } from './openai-responses/index.ts';

/** Each dialect: its requests, its responses, both ways. */
export const dialectOf: { readonly [name in DialectName]: Dialect } = {
  anthropic,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  ollama,
  lmstudio,
  gemini,
  bedrock,
  'gemini-interactions': geminiInteractions,
};
