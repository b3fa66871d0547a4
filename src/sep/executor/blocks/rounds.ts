/** The rounds of a loop, one after the other, and the outputs that are gathered behind them. */
import type { Json } from '../../../kit/base/index.ts';
import { remark } from '../state.ts';
import type { Entry } from '../entry.ts';
import type { ExecutorStep } from '../state.ts';
import type { LoopFrame } from './frames.ts';
import type { Round } from './round.ts';
import { declareGather, tellAfter } from './take.ts';

/** Begins the next round of a loop, or ends it. */
export function goOn(step: ExecutorStep, loop: LoopFrame<Entry>): void {
  const { blocks } = step.state;
  const n = loop.round === undefined ? 0 : loop.round.n + 1;
  const item = loop.items[n];
  if (item === undefined) return endLoop(step, loop);
  if (blocks.isFinal) {
    for (const event of loop.body) tellAfter(step, event);
    return endLoop(step, loop);
  }
  if (!hasRoom(step, loop)) {
    remark(
      step,
      'too-many-rounds',
      `expected less in the loops of a run; the loop over ${loop.attributes['in'] ?? ''} ends before round ${n}`,
    );
    return endLoop(step, loop);
  }
  loop.round = roundOf(loop, n, item);
  loop.at = 0;
}

/** Whether the run has room for a further round, which then counts. */
function hasRoom({ state: { blocks } }: ExecutorStep, { cost }: LoopFrame<Entry>): boolean {
  const { limits, rounds } = blocks;
  const parts = rounds.parts + cost.parts;
  const characters = rounds.characters + cost.characters;
  const isFull =
    parts > limits.mostRoundParts ||
    characters > limits.mostRoundCharacters ||
    rounds.actions + cost.actions > limits.mostExpanded;
  // The actions count as they are declared.
  if (!isFull) blocks.rounds = { parts, characters, actions: rounds.actions };
  return !isFull;
}

const isName = (text: string | undefined): text is string => /^[A-Za-z_][A-Za-z0-9_]*$/.test(text ?? '');

function roundOf({ attributes, names, outer }: LoopFrame<Entry>, n: number, item: Json): Round {
  const { as, index } = attributes;
  const values = new Map<string, Json>([
    [isName(index) ? index : 'index', n],
    [isName(as) ? as : 'item', item],
  ]);
  return { values, names, n, outer };
}

/** Ends a loop: the outputs of its actions are gathered by their ids. */
function endLoop(step: ExecutorStep, loop: LoopFrame<Entry>): void {
  const { blocks } = step.state;
  blocks.frames.pop();
  forget(step, loop);
  for (const [id, { output_key, generated, entries }] of loop.actions)
    if (!generated || output_key !== undefined)
      declareGather(step, { id, output_key, generated }, loop.outer, {
        gather: { list: entries },
        of: entries,
        after: loop.waits,
      });
}

/** The content of a loop waits no more. */
export function forget({ state }: ExecutorStep, { body, cost, isWaiting }: LoopFrame<Entry>): void {
  if (isWaiting) state.blocks.waiting.release(body.length, cost.characters);
}
