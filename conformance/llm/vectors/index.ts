/** The golden vectors of LLM streams, one file a dialect: case tables in fixtures/llm/cases, and random tests. */
import type { VectorFile } from '../../../src/kit/spec/index.ts';
import { vectorFiles } from '../../../src/kit/testee/index.ts';
import type { VectorSource } from '../../../src/kit/testee/index.ts';
import { randomTests } from './random.ts';
import { buildersOf, llmVector } from './vector.ts';
import type { DialectWire } from './vector.ts';
import { anthropicWire } from './wires/anthropic.ts';
import { bedrockWire } from './wires/bedrock.ts';
import { geminiWire } from './wires/gemini.ts';
import { geminiInteractionsWire } from './wires/gemini-interactions.ts';
import { lmstudioWire } from './wires/lmstudio.ts';
import { ollamaWire } from './wires/ollama.ts';
import { openaiChatWire } from './wires/openai-chat.ts';
import { openaiResponsesWire } from './wires/openai-responses.ts';

const wires = {
  anthropic: anthropicWire,
  'openai-chat': openaiChatWire,
  'openai-responses': openaiResponsesWire,
  ollama: ollamaWire,
  lmstudio: lmstudioWire,
  gemini: geminiWire,
  'gemini-interactions': geminiInteractionsWire,
  bedrock: bedrockWire,
} as const;

const wireOf = (dialect: string): DialectWire => {
  const wire = Object.entries(wires).find(([name]) => name === dialect)?.[1];
  if (wire === undefined) throw new Error(`expected a dialect; came ${dialect}`);
  return wire;
};

const source: VectorSource = {
  protocol: 'llm',
  buildersOf: (theme) => (theme === 'notes' ? {} : buildersOf(wireOf(theme))),
  vectorOf: (test, theme) => llmVector(wireOf(theme), test),
  random: Object.fromEntries(Object.entries(wires).map(([name, wire]) => [name, randomTests(name, wire)])),
};

/** The files of vectors that a seed makes. */
export const llmCases = (seed: string): readonly VectorFile[] => vectorFiles(source, seed);
