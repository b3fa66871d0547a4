/** The rules of model servers: one a row, each tells what the readers of answers noted of it. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { exercised, rule, unknowable, violated } from '../../../src/kit/judge/index.ts';
import type { Finding, Findings, Rule } from '../../../src/kit/judge/index.ts';
import { notesOf } from './view.ts';
import type { ServerView } from './view.ts';

/** The rows that servers owe and that show on the wire. */
export const judgedRows: readonly string[] = [
  'LLM-S01',
  'LLM-S02',
  'LLM-S03',
  'LLM-S04',
  'LLM-S05',
  'LLM-S06',
  'LLM-S07',
  'LLM-S08',
  'LLM-S09',
  'LLM-S10',
  'LLM-S11',
  'LLM-S12',
  'LLM-S13',
  'LLM-S14',
  'LLM-S16',
  'LLM-S17',
];

function findings(row: string, event: TraceEvent, view: ServerView): Findings {
  return notesOf(view, event).flatMap((note): Finding[] => {
    if (note.row !== row) return [];
    if (note.broken !== undefined) return [violated(event, note.broken)];
    return [note.lost === undefined ? exercised(event) : unknowable(event, note.lost)];
  });
}

/** An answer for which all the time was waited that it may take, and which is not over: LLM-S02. */
function unended({ readings, patience }: ServerView, last: TraceEvent): Finding[] {
  return [...readings.values()].flatMap(({ waiting }) =>
    waiting !== undefined && last.at - waiting >= patience
      ? [violated(last, `expected a terminal or an error; none came in ${Math.round(last.at - waiting)} ms`)]
      : [],
  );
}

const ruleOf = (row: string): Rule<ServerView> =>
  rule({
    requirement: row,
    listens: ['answer', 'open'],
    start: () => null,
    step: (_, event, view: ServerView) => findings(row, event, view),
    end: (_, view: ServerView, last) => [
      ...(view.forgotten ? [unknowable(last, 'there were too many exchanges at once')] : []),
      ...(row === 'LLM-S02' ? unended(view, last) : []),
    ],
  });

/** Every rule, each for one requirement. */
export const serverRules: readonly Rule<ServerView>[] = judgedRows.map(ruleOf);
