/** The format of the answer: LLM-G65. */
import type { FullRequest } from '../../../../src/llm/gateway/index.ts';
import { held } from '../facts.ts';
import type { AskedCheck } from './asked.ts';
import { lengthOf } from './conversation.ts';
import { schemaLoss } from './schema.ts';

type Format = NonNullable<FullRequest['format']>;

/** LLM-G65: the format with its schema. It may become a call that the model must make. */
export const format: AskedCheck = ({ above, below }) => {
  const due = above.format;
  if (due === undefined) return [];
  const isKept = below.format === undefined ? isElsewhere(due, above, below) : sameFormat(due, below.format);
  return [held('LLM-G65', isKept, () => `expected ${words(due)}; came ${words(below.format)}`)];
};

function sameFormat(due: Format, came: Format): boolean {
  if (due.kind === 'json') return true;
  if (came.kind === 'json') return false;
  const { core, other } = schemaLoss(due.schema, came.schema);
  return core === undefined && other === undefined;
}

/** A forced call with the schema, or for any JSON, words that ask for it. */
function isElsewhere(due: Format, above: FullRequest, below: FullRequest): boolean {
  const isForced = below.choice === 'must' || typeof below.choice === 'object';
  if (due.kind === 'json') return isForced || lengthOf(below.messages) > lengthOf(above.messages);
  return isForced && below.tools.some(({ schema }) => schemaLoss(due.schema, schema).core === undefined);
}

const words = (of: Format | undefined): string => {
  if (of === undefined) return 'no format';
  return of.kind === 'json' ? 'the format JSON' : `the format ${JSON.stringify(of.schema).slice(0, 120)}`;
};
