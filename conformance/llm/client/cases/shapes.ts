/**
 * The forms in which servers send one and the same answer. vLLM, Mistral and OVMS send the last text beside the
 * `finish_reason` (rust-genai#164); llama.cpp and vLLM begin the arguments in the first delta of a call (req_llm#801);
 * Gemini and Ollama send calls whole, several in one; LM Studio leaves out the pieces before a whole call; DeepSeek sends
 * the usage with the `finish_reason`, and compatible servers of Anthropic's without input counts.
 */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';
import { listNotes, readNote, textStep, unicode, writeNote } from './case.ts';
import type { Case, CaseTurn } from './case.ts';

/** The variants of a dialect's forms. */
export const formVariants: { readonly [D in DialectName]: readonly JsonObject[] } = {
  anthropic: [{ usage: 'output' }, { two_message_deltas: true }],
  'openai-chat': [
    { joined: ['finish'] },
    { joined: ['arguments'] },
    { joined: ['call', 'arguments'] },
    { joined: ['calls'] },
    { joined: ['call', 'calls', 'finish'] },
    { usage: 'finish' },
  ],
  'openai-responses': [{ joined: ['calls'] }],
  ollama: [
    { joined: ['finish'] },
    { joined: ['call'] },
    { joined: ['calls'] },
    { joined: ['call', 'calls', 'finish'] },
    { usage: 'output' },
  ],
  lmstudio: [{ joined: ['calls'] }],
};

const note: JsonObject = writeNote({ title: 'wires', body: unicode });

/** The answers in each form: text, text and a call, a call without parameters, several calls. */
const answers: readonly Pick<CaseTurn, 'about' | 'answer'>[] = [
  { answer: { steps: [textStep(unicode)] } },
  { answer: { steps: [listNotes] } },
  { about: { form: 'one' }, answer: { steps: [textStep('Let me write that down.'), note] } },
  { about: { form: 'several' }, answer: { steps: [textStep('Both.'), note, readNote('a'), readNote('b')] } },
];

/** The cases of this theme. */
export const shapeCases: readonly Case[] = [
  {
    name: 'forms',
    features: ['streaming'],
    title: 'text and calls stand beside each other, and beside the end',
    exercises: (dialect) => ['LLM-C17', 'LLM-C30', ...(dialect === 'anthropic' ? ['LLM-C13'] : [])],
    turns: (dialect) =>
      formVariants[dialect].flatMap((variants) =>
        answers.map(({ answer, ...more }) => ({
          ...more,
          answer: { ...answer, chunk: { size: 9 }, variants },
        })),
      ),
  },
];
