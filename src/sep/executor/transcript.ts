/** The text that a model sees before its next output: its own, and the outcomes of its actions. */
import { escaped } from '../values/escaped.ts';
import type { Entry } from './entry.ts';
import { textOf } from '../values/variables.ts';

/** The outcome of an action in words. */
function wordsOf({ stage, output, error, because }: Entry): string {
  if (stage === 'done') return textOf(output ?? null);
  return stage === 'failed' ? (error ?? '') : `because of ${because ?? ''}`;
}

/** What the model sees of the outcome of an action. */
function resultOf({ action, stage }: Entry, words: string): string {
  const status = stage === 'done' ? 'completed' : stage;
  return `<action_result id="${escaped(action.id)}" status="${status}">${escaped(words)}</action_result>`;
}

/**
 * The text for the next iteration: the output as the model wrote it, then an `action_result` of each action that was
 * settled since, in that order. Outputs are escaped, so that no output of a tool looks like a tag of the model. Outcomes have
 * at most `most` characters together: one that has no room is left out, and the text says so.
 */
export function transcriptOf(output: string, settled: readonly Entry[], most: number): string {
  let room = most;
  const results = settled.map((entry) => {
    const words = wordsOf(entry);
    const fits = words.length <= room;
    if (fits) room -= words.length;
    return resultOf(entry, fits ? words : `${words.length} characters, left out`);
  });
  return [output, ...results].join('\n');
}
