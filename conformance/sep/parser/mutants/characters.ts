/** Parsers that lose or change characters of texts and ids. */
import { isArray } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
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
import { emitsActions, emitsTexts, mutant } from './mutant.ts';

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
export const characterMutants: readonly Mutant[] = [
  mutant(143, 'latin1-thoughts', 'It reads thoughts as Latin-1.', emitsTexts('thought', asLatin1)),
  mutant(143, 'latin1-feeds', 'It reads context feeds as Latin-1.', emitsTexts('context_feed', asLatin1)),
  mutant(
    143,
    'splits-pairs',
    'It splits surrogate pairs in responses.',
    emitsTexts('response', withSplitPairs),
  ),
  mutant(
    143,
    'drops-controls',
    'It drops the controls of responses.',
    emitsTexts('response', withoutControls),
  ),
  mutant(143, 'drops-controls-outside', 'It drops controls outside.', emitsTexts('text', withoutControls)),
  mutant(143, 'line-separators', 'It makes line feeds of separators.', emitsTexts('thought', withLineFeeds)),
  mutant(143, 'reads-escapes', 'It reads escapes in thoughts.', emitsTexts('thought', escapesReadAgain)),
  mutant(143, 'escapes-responses', 'It escapes backslashes.', emitsTexts('response', escapedAgain)),
  mutant(143, 'reads-json-twice', 'It reads escapes twice.', ofMember('parameters', escapesReadAgain)),
  mutant(143, 'controls-in-json', 'It drops controls of JSON.', ofMember('parameters', withoutControls)),
  mutant(143, 'latin1-names', 'It reads names as Latin-1.', ofMember('name', asLatin1)),
  mutant(143, 'split-output-keys', 'It splits pairs in keys.', ofMember('output_key', withSplitPairs)),
  mutant(143, 'latin1-keys', 'It reads keys as Latin-1.', ofKeys(asLatin1)),
  mutant(143, 'reads-keys-twice', 'It reads escapes in keys twice.', ofKeys(escapesReadAgain)),
  mutant(143, 'latin1-dependencies', 'It reads depends_on as Latin-1.', ofDependencies(asLatin1)),
  mutant(6, 'latin1-ids', 'It reads ids as Latin-1.', ofMember('id', asLatin1)),
  mutant(6, 'splits-ids', 'It splits surrogate pairs in ids.', ofMember('id', withSplitPairs)),
  mutant(6, 'escapes-in-ids', 'It reads escapes in ids.', ofMember('id', escapesReadAgain)),
  mutant(
    6,
    'ids-of-one-word',
    'It ends an id at a blank.',
    ofMember('id', (id) => id.split(' ')[0] ?? ''),
  ),
];
