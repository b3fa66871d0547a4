/** LLM-S16: what counting endpoints say of prompts, and what the usage of the same prompts says. */
import type { Json } from '../../../src/kit/base/index.ts';
import { at } from './dialects/reader.ts';
import { shown } from './notes.ts';
import type { Notes } from './notes.ts';

/** Counts by the prompt they are of. */
export type Counted = Map<string, number>;

/** Most prompts whose counts are kept; and the most characters of one. */
const kept = { prompts: 32, characters: 1 << 16 } as const;

/** A count has come. The oldest goes when there are too many. */
export function noteCount(counted: Counted, prompt: string, answer: Json): void {
  const tokens = at(answer, 'input_tokens');
  if (typeof tokens !== 'number' || prompt.length > kept.characters) return;
  counted.delete(prompt);
  counted.set(prompt, tokens);
  const [oldest] = counted.keys();
  if (counted.size > kept.prompts && oldest !== undefined) counted.delete(oldest);
}

/** "The token count should be considered an estimate": so far it may be off, as a part of it and in tokens. */
const tolerance = { part: 0.05, tokens: 5 } as const;

/** The usage of an answer, against the count of its prompt. */
export function judgeCount(counted: Counted, prompt: string, input: unknown, notes: Notes): void {
  const count = counted.get(prompt);
  if (count === undefined || typeof input !== 'number' || !(input >= 0)) return;
  counted.delete(prompt);
  const off = Math.abs(count - input);
  if (off > Math.max(tolerance.tokens, tolerance.part * input))
    notes.broke(
      'LLM-S16',
      `expected the count of this prompt to be about the ${shown(input)} input tokens of its usage; it was ${shown(count)}`,
    );
  else notes.held('LLM-S16');
}
