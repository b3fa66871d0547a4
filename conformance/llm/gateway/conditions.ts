/** The pairs of dialects that can show a row: a row about a word needs both dialects to have one. */
import type { Pair } from './pairs.ts';

type Applies = (pair: Pair) => boolean;

const thinks = new Set(['anthropic', 'openai-responses', 'ollama']);
const cites = new Set(['anthropic', 'openai-chat', 'openai-responses']);
const signs = new Set(['anthropic', 'openai-responses']);
const saysTool = new Set(['anthropic', 'openai-chat']);
const refuses = new Set(['openai-chat', 'openai-responses']);

/** Rows that not every pair can show. */
const conditions: { readonly [row: string]: Applies } = {
  'LLM-G03': ({ provider }) => thinks.has(provider),
  // Where arguments are objects, the trace of a body has no more digits than a double.
  'LLM-G04': ({ client, provider }) => client === provider && signs.has(client),
  'LLM-G07': ({ client, provider }) => client !== 'ollama' && provider !== 'ollama',
  'LLM-G08': ({ client }) => client !== 'ollama',
  // Ollama sends no cut call, and its server does not send arguments that are no JSON.
  'LLM-G09': ({ provider }) => provider !== 'ollama',
  'LLM-G10': ({ provider }) => provider !== 'ollama',
  'LLM-G12': ({ client }) => saysTool.has(client),
  'LLM-G15': ({ provider }) => refuses.has(provider),
  'LLM-G16': ({ client, provider }) => cites.has(client) && cites.has(provider),
  'LLM-G20': ({ client, provider }) => client !== 'ollama' && provider !== 'ollama',
  'LLM-G21': ({ provider }) => provider === 'openai-chat',
  'LLM-G47': ({ client, provider }) => client === provider,
  // Ollama has no choice among tools.
  'LLM-G60': ({ client, provider }) => client !== 'ollama' && provider !== 'ollama',
  'LLM-G61': ({ client, provider }) => client !== 'ollama' && provider !== 'ollama',
  'LLM-G64': ({ client, provider }) => client !== 'openai-responses' && provider !== 'openai-responses',
  'LLM-G70': ({ client }) => client === 'openai-responses',
};

/** Whether a pair can show a row. */
export const showsRow = (row: string, pair: Pair): boolean => conditions[row]?.(pair) ?? true;
