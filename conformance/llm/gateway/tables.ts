/** The tables of translations: spec/llm/translation. Each cell has its source. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json } from '../../../src/kit/base/index.ts';
import { readSpecTable } from '../../../src/kit/spec/index.ts';
import type { GatewayDialect } from '../../../src/llm/gateway/index.ts';
import { ends } from '../generated/translation-validators.ts';

/** The words that a client may hear for one end of an answer. */
export interface EndCell {
  /** The first is the best. */
  readonly may: readonly string[];
  /** The documents allow no verdict. */
  readonly undecided?: true;
}

let read: Json | undefined;

/** The words that a client of a dialect may hear for an end; undefined for an end that is in no table. */
export function endCell(end: string, dialect: GatewayDialect): EndCell | undefined {
  read ??= readSpecTable('llm', 'translation/ends.yaml', ends);
  const cell = memberOf(memberOf(memberOf(read, 'ends'), end), dialect);
  const may = memberOf(cell, 'may');
  if (!isArray(may)) return undefined;
  const words = may.filter((word) => typeof word === 'string');
  return memberOf(cell, 'undecided') === true ? { may: words, undecided: true } : { may: words };
}

const memberOf = (value: Json | undefined, key: string): Json | undefined =>
  isObject(value) ? value[key] : undefined;
