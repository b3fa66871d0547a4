/** The form of conditions and of their values. */
import type { Json } from '../../../kit/base/index.ts';
import type { Reference } from './tokens.ts';

/** A value in a condition. */
export type Operand = { readonly reference: Reference } | { readonly value: Json };

/** The signs between two values. */
export type CompareSign = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in';

/** A condition that was read. */
export type Condition =
  | { readonly is: 'truth'; readonly of: Operand }
  | { readonly is: 'defined'; readonly reference: Reference }
  | { readonly is: 'compare'; readonly sign: CompareSign; readonly left: Operand; readonly right: Operand }
  | { readonly is: 'not'; readonly of: Condition }
  | { readonly is: 'and' | 'or'; readonly all: readonly Condition[] };
