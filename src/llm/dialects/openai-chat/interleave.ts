/**
 * Parallel calls of Chat Completions that come interleaved, piece by piece, told apart by their index only: legal, and
 * seen where a server decodes several calls at once (LLM-C17).
 */
import type { ContentBeat, Renderer, Unit } from '../../messages.ts';

/** Holds calls back until something else comes, and then sends the first piece of each, the second of each, and so on. */
export function interleave(renderer: Renderer): Renderer {
  let held: Unit[][] = [];
  let inCall = false;
  const release = (): Unit[] => {
    const units = roundRobin(held);
    held = [];
    return units;
  };
  return {
    begin: () => renderer.begin(),
    beat(beat: ContentBeat) {
      if (beat.do === 'open') inCall = beat.block.kind === 'tool_call';
      const units = renderer.beat(beat);
      if (beat.do === 'ping' || beat.do === 'comment') return units;
      if (!inCall) return held.length === 0 ? units : [...release(), ...units];
      if (beat.do === 'open') held.push([]);
      held.at(-1)?.push(...units);
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
