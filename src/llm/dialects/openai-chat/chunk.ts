/** Changes of the chunks of another renderer, for providers that add members or send other deltas. */
import type { JsonObject } from '../../../kit/base/index.ts';
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Renderer, Unit } from '../../messages.ts';

/** A renderer whose units are changed, in each of its steps. */
export const changed = (
  renderer: Renderer,
  change: (units: readonly Unit[]) => readonly Unit[],
): Required<Omit<Renderer, 'pieceText'>> => ({
  begin: () => change(renderer.begin()),
  open: (block) => change(renderer.open(block)),
  piece: (text, block) => change(renderer.piece(text, block)),
  close: (block) => change(renderer.close(block)),
  end: () => change(renderer.end()),
});

/** The choice of a chunk. Undefined for other units, and for a chunk without choices. */
export function choiceOf({ data }: Unit): JsonObject | undefined {
  const choices = isObject(data) ? data['choices'] : undefined;
  const [choice] = isArray(choices) ? choices : [];
  return isObject(choice) ? choice : undefined;
}

/** The delta of a choice. */
export const deltaOf = ({ delta }: JsonObject): JsonObject => (isObject(delta) ? delta : {});

/** A chunk with some members replaced; another unit as it is. */
export const withMembers = (unit: Unit, members: JsonObject): Unit =>
  isObject(unit.data) ? { data: { ...unit.data, ...members } } : unit;

/** A chunk without its `usage: null`, which only OpenAI sends. */
export function withoutNullUsage(unit: Unit): Unit {
  if (!isObject(unit.data) || unit.data['usage'] !== null) return unit;
  const { usage: _, ...data } = unit.data;
  return { data };
}
