/** What the tests use of differences.mjs. */
import type { Word } from './typings.mjs';

export interface Entry extends Word {
  readonly since: string;
  readonly source?: string;
}

export interface Difference extends Word {
  readonly change: 'new' | 'gone' | 'now stable' | 'now beta';
}

export declare function differences(words: readonly Word[], listed: readonly Entry[]): Difference[];
export declare function isUrgent(difference: Difference): boolean;
export declare function linesOf(rows: readonly (readonly string[])[]): string[];
