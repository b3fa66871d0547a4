/** What the tests use of typings.mjs. */
export interface Source {
  readonly kind: string;
  readonly stage: 'stable' | 'beta';
  readonly file: string;
  readonly type: string;
  readonly read: string;
  readonly without?: readonly string[];
}

export interface Word {
  readonly kind: string;
  readonly word: string;
  readonly stage: 'stable' | 'beta';
}

export declare function wordsOf(
  sources: readonly Source[],
  fileOf: (path: string) => string | undefined,
): Word[];
