/** Collects the thoughts of responses with their signatures, for the rules that they are sent back. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Exchange } from './exchange.ts';

/** The most thoughts of one response that are kept. */
const thoughtsKept = 16;
/** The most characters of a thought that are kept. */
const thoughtKept = 1 << 20;

/** Collects thoughts: a block of Anthropic's, or a step of an interaction, its deltas, its signature. */
export function takeThought({ thoughts }: Exchange, unit: Record<string, unknown>): void {
  const { type, content_block: block, content, delta, step, steps, object } = unit;
  if (type === 'message' && Array.isArray(content)) return thinkWhole(thoughts, content);
  if (object === 'interaction' && Array.isArray(steps)) return thinkSteps(thoughts, steps);
  const begins =
    (type === 'content_block_start' && isObject(block) && block['type'] === 'thinking') ||
    (isObject(step) && step['type'] === 'thought');
  if (begins && thoughts.length < thoughtsKept) thoughts.push({ thinking: '', signature: '' });
  const last = thoughts.at(-1);
  if (last === undefined || !isObject(delta)) return;
  const { thinking, signature } = delta;
  if (typeof thinking === 'string' && last.thinking.length < thoughtKept) last.thinking += thinking;
  if (typeof signature === 'string' && last.signature.length < thoughtKept) last.signature += signature;
}

/** Collects the thoughts of a whole body. */
function thinkWhole(thoughts: Exchange['thoughts'], content: readonly unknown[]): void {
  for (const block of content) {
    if (!isObject(block) || block['type'] !== 'thinking' || thoughts.length >= thoughtsKept) continue;
    const { thinking, signature } = block;
    if (typeof thinking === 'string' && typeof signature === 'string') thoughts.push({ thinking, signature });
  }
}

/** Collects the signatures of a whole interaction. */
function thinkSteps(thoughts: Exchange['thoughts'], steps: readonly unknown[]): void {
  for (const step of steps) {
    if (!isObject(step) || step['type'] !== 'thought' || thoughts.length >= thoughtsKept) continue;
    const { signature } = step;
    if (typeof signature === 'string') thoughts.push({ thinking: '', signature });
  }
}
