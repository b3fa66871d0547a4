/**
 * Interleaves the pieces of parallel calls, so that only the index distinguishes them: legal in Chat Completions and in
 * Anthropic's stream, and seen where a server decodes several calls at once (LLM-C17).
 */
import type { GeneratedBlock, Renderer, Unit } from '../../messages.ts';

/**
 * Holds calls back until something else comes, and then sends the first piece of each, the second of each, and so on.
 * Their ends come last, in the order of the calls.
 */
export function interleave(renderer: Renderer): Renderer {
  let held: Unit[][] = [];
  let ends: Unit[] = [];
  /** Units of a block: those of a call are held back, others release the calls before them. */
  const ordered = ({ kind }: GeneratedBlock, units: readonly Unit[]): readonly Unit[] => {
    if (kind === 'tool_call') {
      held.at(-1)?.push(...units);
      return [];
    }
    return held.length === 0 ? units : [...release(), ...units];
  };
  const release = (): readonly Unit[] => {
    const units = [...roundRobin(held), ...ends];
    [held, ends] = [[], []];
    return units;
  };
  return {
    begin: () => renderer.begin(),
    open(block) {
      if (block.kind === 'tool_call') held.push([]);
      return ordered(block, renderer.open(block));
    },
    piece: (text, block) => ordered(block, renderer.piece(text, block)),
    close(block) {
      const units = renderer.close(block);
      if (block.kind !== 'tool_call') return ordered(block, units);
      ends.push(...units);
      return [];
    },
    end: () => [...release(), ...renderer.end()],
  };
}

function roundRobin(queues: readonly (readonly Unit[])[]): Unit[] {
  const units: Unit[] = [];
  const longest = queues.reduce((most, queue) => Math.max(most, queue.length), 0);
  for (let i = 0; i < longest; i++)
    for (const queue of queues) {
      const unit = queue[i];
      if (unit !== undefined) units.push(unit);
    }
  return units;
}
