/** The words of a dialect as `wireproof drift` needs them: which words are known, and where they stand. */
import type { ListedWord, Place } from '../words/lists.ts';
import { listOf } from '../words/lists.ts';
import { readerOf } from './place.ts';
import type { Found, ReadPlace } from './place.ts';

/** The words of a dialect. */
export interface Vocabulary {
  readonly dialect: string;
  /** The words of a unit of a stream, or of a body. */
  read(value: Parameters<ReadPlace>[0], streamed: boolean): readonly Found[];
  /** The list's line for a word; undefined: the list has no such word. */
  known(kind: string, word: string): ListedWord | undefined;
  /** Whether the list says which members a member has. */
  lists(kind: string, member: string): boolean;
}

const read = new Map<string, Vocabulary>();

/** The vocabulary of a dialect. @throws WireproofError 'usage' where its list does not fit the schema */
export function vocabularyOf(dialect: string): Vocabulary {
  const known = read.get(dialect) ?? newVocabulary(dialect);
  read.set(dialect, known);
  return known;
}

function newVocabulary(dialect: string): Vocabulary {
  const { words, places = [] } = listOf(dialect);
  const byKey = new Map(words.map((word) => [keyOf(word.kind, word.word), word]));
  const parents = new Set(
    words.flatMap(({ kind, word }) => (word.includes('.') ? [keyOf(kind, word.replace(/\..*/, ''))] : [])),
  );
  const readers = { stream: readersOf(places, 'stream'), body: readersOf(places, 'body') };
  return {
    dialect,
    read: (value, streamed) => readers[streamed ? 'stream' : 'body'].flatMap((reader) => reader(value)),
    known: (kind, word) => byKey.get(keyOf(kind, word)),
    lists: (kind, member) => parents.has(keyOf(kind, member)),
  };
}

const keyOf = (kind: string, word: string): string => `${kind} ${word}`;

const readersOf = (places: readonly Place[], form: 'stream' | 'body'): readonly ReadPlace[] =>
  places.filter(({ in: only = form }) => only === form).map((place) => readerOf(place));
