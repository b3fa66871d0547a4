/** Executors that lose or change characters of texts and ids. */
import { isArray } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import {
  asLatin1,
  escapedAgain,
  escapesReadAgain,
  withLineFeeds,
  withoutControls,
  withSplitPairs,
  withTexts,
} from '../../shared/characters.ts';
import type { TextEdit } from '../../shared/characters.ts';
import { answers, emitsEach, isOf, mutant } from './mutant.ts';
import type { ExecutorMutant } from './mutant.ts';

/** Changes a member of the events of a kind, with the texts in it. */
const ofMember = (kind: string, name: string, edit: TextEdit): AnswerFault =>
  emitsEach((event) => {
    const value = event[name];
    return isOf(kind, event) && value !== undefined ? { ...event, [name]: withTexts(value, edit) } : event;
  });

/** Changes what the model sees. */
const ofTranscripts = (edit: TextEdit): AnswerFault =>
  answers((ok) => {
    const { transcripts } = ok;
    return isArray(transcripts) ? { ...ok, transcripts: withTexts(transcripts, edit) } : ok;
  });

/** The mutants of characters. */
export const characterMutants: readonly ExecutorMutant[] = [
  mutant(143, 'latin1-thoughts', 'It tells thoughts as Latin-1.', ofMember('thought', 'text', asLatin1)),
  mutant(143, 'splits-pairs', 'It splits pairs in responses.', ofMember('response', 'text', withSplitPairs)),
  mutant(143, 'drops-controls', 'It drops controls.', ofMember('response', 'text', withoutControls)),
  mutant(143, 'escapes-thoughts', 'It escapes backslashes.', ofMember('thought', 'text', escapedAgain)),
  mutant(143, 'reads-outputs-twice', 'It reads escapes.', ofMember('completed', 'output', escapesReadAgain)),
  mutant(143, 'reads-json-twice', 'It reads escapes.', ofMember('started', 'parameters', escapesReadAgain)),
  mutant(34, 'latin1-causes', 'It tells causes as Latin-1.', ofMember('skipped', 'because', asLatin1)),
  mutant(61, 'feed-controls', 'It drops controls.', ofMember('context_feed', 'text', withoutControls)),
  mutant(61, 'feed-separators', 'It makes line feeds.', ofMember('context_feed', 'text', withLineFeeds)),
  mutant(99, 'latin1-seen', 'The model sees Latin-1.', ofTranscripts(asLatin1)),
  mutant(99, 'controls-unseen', 'The model sees no controls.', ofTranscripts(withoutControls)),
];
