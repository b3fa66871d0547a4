/** The text that a model sees before its next output: its own, and the outcomes of its actions. */
import type { Entry } from './state.ts';
import { textOf } from './variables.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** What the model sees of the outcome of an action. */
function resultOf({ action, stage, output, error, because }: Entry): string {
  const status = stage === 'done' ? 'completed' : stage;
  const told = {
    completed: textOf(output ?? null),
    failed: error ?? '',
    skipped: `because of ${because ?? ''}`,
  };
  const text = told[status as keyof typeof told];
  return `<action_result id="${escaped(action.id)}" status="${status}">${escaped(text)}</action_result>`;
}

/**
 * The text for the next iteration: the output as the model wrote it, then an `action_result` of each action that was
 * settled since, in that order. Outputs are escaped, so that no output of a tool looks like a tag of the model.
 */
export const transcriptOf = (output: string, settled: readonly Entry[]): string =>
  [output, ...settled.map(resultOf)].join('\n');
