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
import { answers, emitsEach, isOf } from './mutant.ts';
import type { ExecutorFaults } from './mutant.ts';

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
export const characterFaults: ExecutorFaults = {
  'latin1-thoughts': ofMember('thought', 'text', asLatin1),
  'splits-pairs': ofMember('response', 'text', withSplitPairs),
  'drops-controls': ofMember('response', 'text', withoutControls),
  'escapes-thoughts': ofMember('thought', 'text', escapedAgain),
  'reads-outputs-twice': ofMember('completed', 'output', escapesReadAgain),
  'reads-json-twice': ofMember('started', 'parameters', escapesReadAgain),
  'latin1-causes': ofMember('skipped', 'because', asLatin1),
  'feed-controls': ofMember('context_feed', 'text', withoutControls),
  'feed-separators': ofMember('context_feed', 'text', withLineFeeds),
  'latin1-seen': ofTranscripts(asLatin1),
  'controls-unseen': ofTranscripts(withoutControls),
};
