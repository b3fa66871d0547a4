/** Parsers that lose or change characters of texts and ids. */
import { isArray } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
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
import { emitsActions, emitsTexts } from './mutant.ts';
import type { ParserFaults } from './mutant.ts';

/** Changes a member of actions, with the texts in it. */
const ofMember = (name: string, edit: TextEdit): AnswerFault =>
  emitsActions((action) => {
    const value = action[name];
    return value === undefined ? action : { ...action, [name]: withTexts(value, edit) };
  });

/** Changes the keys of parameters. */
const ofKeys = (edit: TextEdit): AnswerFault =>
  emitsActions((action) => ({ ...action, parameters: keyed(action['parameters'] as JsonObject, edit) }));

const keyed = (parameters: JsonObject, edit: TextEdit): JsonObject =>
  Object.fromEntries(Object.entries(parameters).map(([key, value]) => [edit(key), value]));

/** Changes the ids in depends_on. */
const ofDependencies = (edit: TextEdit): AnswerFault =>
  emitsActions((action) => {
    const { depends_on: ids } = action;
    return isArray(ids) ? { ...action, depends_on: withTexts(ids, edit) } : action;
  });

/** The mutants of characters. */
export const characterFaults: ParserFaults = {
  'latin1-thoughts': emitsTexts('thought', asLatin1),
  'latin1-feeds': emitsTexts('context_feed', asLatin1),
  'splits-pairs': emitsTexts('response', withSplitPairs),
  'drops-controls': emitsTexts('response', withoutControls),
  'drops-controls-outside': emitsTexts('text', withoutControls),
  'line-separators': emitsTexts('thought', withLineFeeds),
  'reads-escapes': emitsTexts('thought', escapesReadAgain),
  'escapes-responses': emitsTexts('response', escapedAgain),
  'reads-json-twice': ofMember('parameters', escapesReadAgain),
  'controls-in-json': ofMember('parameters', withoutControls),
  'latin1-names': ofMember('name', asLatin1),
  'split-output-keys': ofMember('output_key', withSplitPairs),
  'latin1-keys': ofKeys(asLatin1),
  'reads-keys-twice': ofKeys(escapesReadAgain),
  'latin1-dependencies': ofDependencies(asLatin1),
  'latin1-ids': ofMember('id', asLatin1),
  'splits-ids': ofMember('id', withSplitPairs),
  'escapes-in-ids': ofMember('id', escapesReadAgain),
  'ids-of-one-word': ofMember('id', (id) => id.split(' ')[0] ?? ''),
};
