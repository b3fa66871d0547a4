/** The words that begin a tag in each place. Everything else is text there. */
import type { Extensions } from './extensions.ts';
import type { Place } from './block.ts';
import { tagNames } from './tag.ts';
import type { TagWord } from './tag.ts';

/** The words by place. */
export type PlaceWords = { readonly [P in Place]: readonly TagWord[] };

const plainWords: PlaceWords = {
  top: [...tagNames, ...tagNames.map((name): TagWord => `/${name}`), '!--'],
  thought: ['thought', '/thought', 'action'],
  response: ['/response', 'action'],
  context_feed: ['/context_feed'],
};

/** The words of an extension outside of all tags. */
const extensionWords: readonly (readonly [keyof ExtensionWords, readonly TagWord[]])[] = [
  ['conditions', ['if', '/if', 'else']],
  ['loops', ['foreach', '/foreach']],
  ['groups', ['parallel', '/parallel']],
  ['templates', ['template', '/template']],
];

type ExtensionWords = { readonly [N in 'conditions' | 'loops' | 'groups' | 'templates']: unknown };

/** The words with these extensions on. */
export function placeWordsOf(extensions: Extensions): PlaceWords {
  const added = extensionWords.flatMap(([name, words]) => (extensions.has(name) ? words : []));
  return added.length === 0 ? plainWords : { ...plainWords, top: [...plainWords.top, ...added] };
}
