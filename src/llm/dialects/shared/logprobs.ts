/** Made-up log probabilities of the pieces of a text: the same text has the same ones. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Generation, GeneratedBlock } from '../../messages.ts';

/** The log probability of a piece, with this number of alternatives, as OpenAI and Ollama write it. */
export function logprobOf(text: string, alternatives: number): JsonObject {
  const logprob = -(sumOf(text) % 997) / 1000;
  const top = Array.from({ length: alternatives }, (_, i) =>
    entry(i === 0 ? text : `${text}~${i}`, i === 0 ? logprob : logprob - i),
  );
  return { ...entry(text, logprob), top_logprobs: top };
}

/** The number of alternatives of a block's pieces; undefined: it has no log probabilities. */
export const alternativesOf = (block: GeneratedBlock): number | undefined =>
  block.kind === 'text' ? block.logprobs : undefined;

/** The log probabilities of all pieces of a generation, in their order. */
export const logprobsOf = ({ steps }: Generation): readonly JsonObject[] =>
  [...steps].flatMap((step) => {
    const alternatives = step.do === 'piece' ? alternativesOf(step.block) : undefined;
    return step.do === 'piece' && alternatives !== undefined ? [logprobOf(step.text, alternatives)] : [];
  });

const entry = (token: string, logprob: number): JsonObject => ({
  token,
  logprob,
  bytes: [...Buffer.from(token)],
});

function sumOf(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) % 1_000_003;
  return sum;
}
