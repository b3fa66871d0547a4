/**
 * The ids and names of calls that the script gave, where their form is one that a provider would not give itself: longer
 * than its own, or with other characters. A client that sends them back is right, so no check of their form applies to them.
 */
import type { GivenWords } from '../dialects/shared/body-reader.ts';
import type { GeneratedBlock } from '../messages.ts';

/** Most words that are kept; the oldest are forgotten. */
const mostWords = 1000;

/** The form that every provider accepts. */
const usual = /^[a-zA-Z0-9_-]{1,40}$/;

/** The words with those of an answer's calls. */
export function withGiven(given: GivenWords, blocks: readonly GeneratedBlock[]): GivenWords {
  const words = blocks
    .flatMap((block) => (block.kind === 'tool_call' ? [block.id, block.name] : []))
    .filter((word) => !usual.test(word) && !given.has(word));
  return words.length === 0 ? given : new Set([...given, ...words].slice(-mostWords));
}
