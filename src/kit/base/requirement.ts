/** Where a requirement is written and how much it weighs, where a violation was seen, and which part of a suite was selected. */

/** RFC 2119 level of a requirement. */
export type Level = 'MUST' | 'SHOULD' | 'MAY';

/** The place where a requirement is written. */
export interface Source {
  readonly document: string;
  readonly revision?: string;
  readonly section: string;
}

/** A position in a trace. */
export interface Evidence {
  /** Name of the trace (its file, without folder, when it was written). */
  readonly trace: string;
  readonly seq: number;
}

/** The part of a suite that the user selected. */
export interface SelectedPart {
  /** The flags of the selection, such as `--only FOLD-A1*`. */
  readonly flags: readonly string[];
  /** The selected requirements of the suite, and all of them. */
  readonly requirements: { readonly selected: number; readonly of: number };
  /** The selected scenarios, and all of them; absent: no scenarios were selected. */
  readonly scenarios?: { readonly selected: number; readonly of: number };
}
