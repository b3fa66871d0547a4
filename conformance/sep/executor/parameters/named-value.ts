/** What is known of the names in the parameters of an action, and what is found of their rows. */
import type { Json } from '../../../../src/kit/base/index.ts';
import type { Judgement } from '../../../../src/kit/testee/index.ts';

/** The value of a name when an action starts. */
export interface NamedValue {
  readonly value: Json;
  /** The value of the action whose id is the name, where an output key comes first. */
  readonly ofId: Json | undefined;
  /** Whether the name is the id of the action, and no output key. */
  readonly isId: boolean;
  /** Whether it came after the action was declared, or in an earlier iteration than that. */
  readonly isLate: boolean;
  readonly isOlder: boolean;
}

/** The certain value of a name; undefined: it is open. */
export type ValueOf = (name: string) => NamedValue | undefined;

/** What is known of the names in the parameters of an action. */
export interface Names {
  readonly valueOf: ValueOf;
  /** Whether a diagnostic said that a name has no value, and no action has it. */
  readonly isMissing: (name: string) => boolean;
}

/** A judgement of a row. */
export type RowFinding = readonly [row: string, judgement: Judgement];
