/** The stop words that spec/llm/words has of a dialect, and the note about those that are beta. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import { listedWords } from './listed-words.ts';
import { factRule } from './rules/fact-rule.ts';
import { serverJudging } from './view.ts';

/** beta: only the beta namespace of the dialect's SDK has the word. */
export type WordStage = 'stable' | 'beta';

const read = new Map<string, ReadonlyMap<unknown, WordStage>>();

/** The stop words of a dialect. The list is read once. */
function stopWordsOf(dialect: string): ReadonlyMap<unknown, WordStage> {
  const known = read.get(dialect);
  if (known !== undefined) return known;
  const found = new Map<unknown, WordStage>();
  for (const { word, stage } of listedWords(dialect, 'stop'))
    found.set(word, stage === 'beta' ? 'beta' : 'stable');
  read.set(dialect, found);
  return found;
}

/** The stage of a stop word. Undefined when the dialect has no such word. */
export const stageOf = (dialect: string | undefined, word: string): WordStage | undefined =>
  dialect === undefined ? undefined : stopWordsOf(dialect).get(word);

/** A sentence about the stop words of answers that are beta. `traces`: the events of each scenario. */
export function betaNote(traces: readonly (readonly TraceEvent[])[]): string | undefined {
  const seen = new Set<string>();
  const noting = factRule('LLM-S23', (fact) => {
    if (fact.type !== 'terminal') return undefined;
    const { stop, request } = fact.answer;
    if (typeof stop?.word === 'string' && stageOf(request?.dialect, stop.word) === 'beta')
      seen.add(stop.word);
    return undefined;
  });
  for (const events of traces) {
    const judge = new Judge({ ...serverJudging, rules: [noting] });
    for (const event of events) judge.step(event);
  }
  if (seen.size === 0) return undefined;
  return `the stop reason ${[...seen].toSorted().join(', ')} is a beta word of the dialect: it may change, and no requirement judges it`;
}
