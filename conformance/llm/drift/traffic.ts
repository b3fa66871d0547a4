/** What was seen in answers: their words, the orders of their units, and the sets of members of their objects. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json } from '../../../src/kit/base/index.ts';
import type { DriftFinding } from '../../../src/kit/suite/index.ts';
import type { Found } from './place.ts';
import { vocabularyOf } from './vocabulary.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Where something was seen. */
export type Where = DriftFinding['first'];

/** Something that was seen. */
export interface Sighting {
  readonly dialect: string;
  readonly kind: string;
  /** The word, the order `a → b`, or the names of the members. */
  readonly text: string;
  /** The word of the object that has these members; absent: its kind has no words for it. */
  readonly shape?: string;
  readonly first: Where;
  count: number;
  /** Its files. */
  readonly files: Set<string>;
}

/** Answers that are being read. */
export interface Reading {
  /** Takes a unit of a stream, or the body. @param event - the name of its event */
  take(unit: Json, event?: Json): void;
  /** The answer ended in order. */
  end(): void;
}

/** The most different things that are kept of each sort. A hostile answer has a new word in each unit. */
const mostKept = 20_000;

/** What was seen of one sort. */
export class Sightings {
  readonly #seen = new Map<string, Sighting>();
  /** How many sightings were not kept. */
  lost = 0;

  get all(): readonly Sighting[] {
    return [...this.#seen.values()];
  }

  see(key: string, make: () => Omit<Sighting, 'count' | 'files'>, file: string): void {
    const seen = this.#seen.get(key);
    if (seen !== undefined) {
      seen.count++;
      seen.files.add(file);
    } else if (this.#seen.size < mostKept)
      this.#seen.set(key, { ...make(), count: 1, files: new Set([file]) });
    else this.lost++;
  }

  /** Whether another file has it. */
  isElsewhere({ files }: Sighting): boolean {
    return files.size > 1;
  }
}

/** What was seen in all answers. */
export class Traffic {
  readonly words: Sightings = new Sightings();
  readonly orders: Sightings = new Sightings();
  readonly members: Sightings = new Sightings();
  /** The number of answers, by dialect. */
  readonly answers: Map<string, number> = new Map();

  /** Begins an answer. */
  answer(dialect: string, streamed: boolean, where: Where): Reading {
    this.answers.set(dialect, (this.answers.get(dialect) ?? 0) + 1);
    return new AnswerReading(this, vocabularyOf(dialect), streamed, where);
  }

  get lost(): number {
    return this.words.lost + this.orders.lost + this.members.lost;
  }
}

class AnswerReading implements Reading {
  readonly #traffic: Traffic;
  readonly #vocabulary: Vocabulary;
  readonly #streamed: boolean;
  readonly #where: Where;
  #units = 0;
  #last = 'begin';

  constructor(traffic: Traffic, vocabulary: Vocabulary, streamed: boolean, where: Where) {
    this.#traffic = traffic;
    this.#vocabulary = vocabulary;
    this.#streamed = streamed;
    this.#where = where;
  }

  take(unit: Json, event?: Json): void {
    // Gemini sends a stream as an array of its chunks where the request does not ask for events.
    if (isArray(unit)) for (const one of unit) this.#take(one);
    // The data of Bedrock's events has no type: their name is beside it.
    else if (isObject(unit) && typeof event === 'string') this.#take({ type: event, ...unit });
    else this.#take(unit);
  }

  #take(unit: Json): void {
    this.#units++;
    const found = this.#vocabulary.read(unit, this.#streamed);
    for (const one of found) this.#word(one);
    for (const one of distinctShapes(found)) this.#members(one);
    if (this.#streamed) this.#order(nameOf(unit, found, this.#vocabulary));
  }

  end(): void {
    if (this.#streamed) this.#order('end');
  }

  get #here(): Where {
    return this.#streamed ? { ...this.#where, unit: this.#units } : this.#where;
  }

  #word({ kind, word }: Found): void {
    const { dialect } = this.#vocabulary;
    if (word.includes('.') && !this.#isListed(kind, word)) return;
    this.#traffic.words.see(
      `${dialect} ${kind} ${word}`,
      () => ({ dialect, kind, text: word, first: this.#here }),
      this.#where.file,
    );
  }

  /** A word `a.b` counts where the list has it, or has others of `a`. */
  #isListed(kind: string, word: string): boolean {
    return (
      this.#vocabulary.known(kind, word) !== undefined ||
      this.#vocabulary.lists(kind, word.replace(/\..*/, ''))
    );
  }

  #members({ kind, shape = '', holder }: Found): void {
    const { dialect } = this.#vocabulary;
    const text = Object.keys(holder).toSorted().join(', ');
    this.#traffic.members.see(
      `${dialect} ${kind} ${shape}: ${text}`,
      () => ({ dialect, kind, text, ...(shape === '' ? {} : { shape }), first: this.#here }),
      this.#where.file,
    );
  }

  #order(name: string | undefined): void {
    if (name === undefined) return;
    const { dialect } = this.#vocabulary;
    const text = `${this.#last} → ${name}`;
    this.#last = name;
    this.#traffic.orders.see(
      `${dialect} ${text}`,
      () => ({ dialect, kind: 'order', text, first: this.#here }),
      this.#where.file,
    );
  }
}

/** One word of each object whose members depend on it. */
function distinctShapes(found: readonly Found[]): readonly Found[] {
  const seen = new Set<object>();
  return found.filter(({ holder, shape }) => {
    if (shape === undefined || seen.has(holder)) return false;
    seen.add(holder);
    return true;
  });
}

/** The name of a unit in the order: its words that count for it. Undefined: it may come anywhere. */
function nameOf(unit: Json, found: readonly Found[], { known }: Vocabulary): string | undefined {
  if (typeof unit === 'string') return unit.slice(0, 40);
  const ordered = found.filter(({ order }) => order);
  if (ordered.some(({ kind, word }) => known(kind, word)?.anywhere === true)) return undefined;
  const words = new Set(
    (ordered.length > 0 ? ordered : found).map(({ kind, word }) => (ordered.length > 0 ? word : kind)),
  );
  return words.size === 0 ? 'no word' : [...words].join(' ');
}
