/** The tables of translations: spec/llm/translation. Each cell has its source. */
import { readSpecTable } from '../../../src/kit/spec/index.ts';
import type { GatewayDialect } from '../../../src/llm/index.ts';
import { ends } from '../generated/translation-validators.ts';

/** The words that a client may hear for one end of an answer. */
export interface EndCell {
  /** The first is the best. */
  readonly may: readonly string[];
  /** The documents allow no verdict. */
  readonly undecided?: true;
}

interface EndTable {
  readonly ends: {
    readonly [end: string]: { readonly [D in GatewayDialect]: EndCell } & { readonly source: string };
  };
}

let read: EndTable | undefined;

/** The words that a client of a dialect may hear for an end; undefined for an end that is in no table. */
export function endCell(end: string, dialect: GatewayDialect): EndCell | undefined {
  read ??= readSpecTable('llm', 'translation/ends.yaml', ends) as unknown as EndTable;
  return read.ends[end]?.[dialect];
}
