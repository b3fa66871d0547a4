/** What the tests use of sources.mjs. */
import type { Source } from './typings.mjs';

export interface Sdk {
  readonly dialect: string;
  readonly package: string;
  readonly sources: readonly Source[];
}

export declare const sdks: readonly Sdk[];
