/** What the tests use of list-text.mjs. */
import type { Difference } from './differences.mjs';

export declare function textWith(text: string, version: string, found: readonly Difference[]): string;
