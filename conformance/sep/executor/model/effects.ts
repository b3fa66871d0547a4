/** What the events of a run have told of effects: the parts of outputs, and the actions that are undone. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { forgetOldest } from '../../../../src/kit/judge/index.ts';
import { textIn } from '../events.ts';
import { numberIn } from './known-action.ts';

/** The facts of effects. */
export interface EffectMemory {
  /** The number of the last part of each action without an outcome, by its id. */
  readonly parts: Map<string, number>;
  /** Whether the number of a part was forgotten. */
  hasForgotten: boolean;
  /** The id of the action whose rollback has started last. */
  undone: string | undefined;
  /** Whether that rollback has ended. */
  isUndone: boolean;
}

/** The facts before the first event. */
export const noEffects = (): EffectMemory => ({
  parts: new Map(),
  hasForgotten: false,
  undone: undefined,
  isUndone: false,
});

/** The most actions whose parts are remembered. */
const most = 4096;

/** Takes the next event of the run. */
export function takeEffect(memory: EffectMemory, event: JsonObject): void {
  const { type, status } = event;
  const id = textIn(event, 'id');
  if (type === 'partial') {
    memory.parts.set(id, numberIn(event, 'n') ?? 0);
    memory.hasForgotten = forgetOldest(memory.parts, most) || memory.hasForgotten;
  }
  if (type === 'completed' || type === 'failed' || type === 'skipped') memory.parts.delete(id);
  if (type !== 'rollback') return;
  if (status === 'started') memory.undone = id;
  if (status === 'started' || id === memory.undone) memory.isUndone = status !== 'started';
}
