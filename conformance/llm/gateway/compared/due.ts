/** The lawful values of a part, and the document that lists them: the cells of spec/llm/translation. */
import type { Comparison } from '../../../../src/kit/base/index.ts';
import type { GatewayDialect, NeutralAnswer } from '../../../../src/llm/gateway/index.ts';
import type { Asked } from '../asked/asked.ts';
import { choiceWord } from '../asked/choice.ts';
import { endOf } from '../checks/ends.ts';
import { askedCell, askedSource, endCell } from '../tables.ts';
import type { Cell } from '../tables.ts';

type Due = Pick<Comparison, 'due' | 'source'>;

const dueOf = (cell: Cell | undefined): Due =>
  cell === undefined || cell.undecided === true ? {} : { due: cell.may, source: cell.source };

/** What a client may hear of an end that is no good one. */
const told = ['an error', 'the connection broke'];
const badEnds: { readonly [row: string]: readonly string[] } = {
  'LLM-G24': told,
  'LLM-G25': [...told, 'no terminal'],
  'LLM-G26': told,
};

/** The words that a client may hear for the provider's end. */
export function dueEnd(row: string, sent: NeutralAnswer, client: GatewayDialect): Due {
  const bad = badEnds[row];
  if (bad !== undefined) return { due: bad };
  const { due, source } = dueOf(endCell(endOf(sent), client));
  if (due === undefined || source === undefined) return {};
  // LLM-G14 wants the best word, which is the first.
  return { due: row === 'LLM-G14' ? due.slice(0, 1) : due, source };
}

/** What a provider may be asked, by the requirement. */
export function dueRequest(row: string, { above, pair }: Asked): Due {
  switch (row) {
    case 'LLM-G21':
      return { due: ['asked for'] };
    case 'LLM-G52':
      return { source: askedSource('words', 'system_later') };
    case 'LLM-G56':
      return { source: askedSource('media') };
    case 'LLM-G58':
      return { source: askedSource('names') };
    case 'LLM-G60':
      return dueOf(askedCell(`choice_${choiceWord(above.choice)}`, pair.provider));
    case 'LLM-G61':
      return { due: ['on'], source: askedSource('words', 'parallel_off') };
    case 'LLM-G63':
      return { source: askedSource('ranges', 'temperature') };
    case 'LLM-G64':
      return { source: askedSource('stops') };
    default:
      return {};
  }
}
