/** The words of an output item of a Responses stream: its events without their numbers, its status, its context. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Variants } from '../../messages.ts';

/** An event before it has its number. */
export interface OutputEvent extends JsonObject {
  readonly type: string;
}

/** One item as it is streamed. */
export interface OutputItem {
  begin(): readonly OutputEvent[];
  /** A delta; the events of an item differ in it only. Absent: the item has no deltas. */
  readonly piece?: (delta: string) => OutputEvent;
  /** A delta with its log probabilities, instead of `piece`. */
  readonly measure?: (delta: string) => OutputEvent;
  /** The closing events, the last of which carries the whole item. */
  end(text: string, status: ItemStatus): readonly OutputEvent[];
  /** The whole item. */
  item(text: string, status: ItemStatus): JsonObject;
}

/** The status of an item. A cut item is never `completed`, unless the server lies. */
export type ItemStatus = 'completed' | 'incomplete' | 'in_progress';

export interface ItemContext {
  /** `output_index`. */
  readonly index: number;
  readonly id: (prefix: string) => string;
  readonly variants: Variants;
}

/** The event of a new item. */
export const added = (index: number, item: JsonObject): OutputEvent => ({
  type: 'response.output_item.added',
  output_index: index,
  item,
});

/** The event of a finished item. */
export const done = (index: number, item: JsonObject): OutputEvent => ({
  type: 'response.output_item.done',
  output_index: index,
  item,
});
