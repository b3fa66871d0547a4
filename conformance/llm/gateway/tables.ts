/** The tables of translations: spec/llm/translation. Each cell has its source. */
import { readSpecTable } from '../../../src/kit/spec/index.ts';
import type { GatewayDialect } from '../../../src/llm/index.ts';
import { ends, requests } from '../generated/translation-validators.ts';

/** The words that one side may have for a word of the other one. */
export interface Cell {
  /** The first is the best. */
  readonly may: readonly string[];
  /** The documents allow no verdict. */
  readonly undecided?: true;
}

interface EndTable {
  readonly ends: {
    readonly [end: string]: { readonly [D in GatewayDialect]: Cell } & { readonly source: string };
  };
}

let read: EndTable | undefined;

/** The words that a client of a dialect may hear for an end; undefined for an end that is in no table. */
export function endCell(end: string, dialect: GatewayDialect): Cell | undefined {
  read ??= readSpecTable('llm', 'translation/ends.yaml', ends) as unknown as EndTable;
  return read.ends[end]?.[dialect];
}

/** A value for each dialect. */
type Each<T> = { readonly [D in GatewayDialect]: T };

/** Bytes, or a place from which others get them. */
export type MediaForm = 'bytes' | 'url';

interface RequestTable {
  readonly words: { readonly [word: string]: Each<Cell> };
  readonly ranges: {
    readonly [N in 'temperature' | 'topP']: Each<{ readonly least: number; readonly most?: number }>;
  };
  readonly stops: Each<{ readonly most?: number }>;
  readonly media: { readonly [K in 'image' | 'file']: Each<readonly MediaForm[]> };
  readonly names: Each<{ readonly pattern: string }>;
}

let readRequests: RequestTable | undefined;

/** What a provider may be asked for what a client asked. */
export function requestTable(): RequestTable {
  readRequests ??= readSpecTable('llm', 'translation/requests.yaml', requests) as unknown as RequestTable;
  return readRequests;
}
