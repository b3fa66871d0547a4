/** The units of a step: the one place that distinguishes steps for the wire. */
import type { GenerationStep, Renderer, Unit } from '../../messages.ts';

/** The units of one step; `ping` is the dialect's, where it has one. */
export function unitsOfStep(step: GenerationStep, renderer: Renderer, ping?: Unit): readonly Unit[] {
  switch (step.do) {
    case 'piece':
      return renderer.piece(step.text, step.block);
    case 'open':
      return renderer.open(step.block);
    case 'close':
      return renderer.close(step.block);
    case 'ping':
      return [ping ?? { comment: true, data: 'ping' }];
    case 'comment':
      return [{ comment: true, data: step.text }];
    case 'wait':
    case 'barrier':
      return [];
  }
}

/** The units of a whole generation. */
export const unitsOfGeneration = (
  steps: Iterable<GenerationStep>,
  renderer: Renderer,
  ping?: Unit,
): readonly Unit[] => [
  ...renderer.begin(),
  ...[...steps].flatMap((step) => unitsOfStep(step, renderer, ping)),
  ...renderer.end(),
];
