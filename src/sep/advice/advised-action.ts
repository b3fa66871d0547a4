/** What advice is given about, and what it is. */
import type { AdviceCode, SepAction } from '../parser/events.ts';

/** An action of an iteration. */
export interface AdvisedAction {
  readonly action: Pick<
    SepAction,
    'id' | 'generated' | 'type' | 'mode' | 'output_key' | 'depends_on' | 'on_error'
  >;
  /** The names that its parameters refer to. */
  readonly names: ReadonlySet<string>;
  /** Whether a response stands between the action before and this one: its text waits for sync actions. */
  readonly isAfterResponse: boolean;
}

/** A remark. */
export interface Advice {
  readonly code: AdviceCode;
  readonly message: string;
}
