/** The text of an answer as a reader sees it: its words (LLM-S12), and characters that the server lost (LLM-S31). */

/** What makes a run of characters without white space a word. Shorter words may share a token. */
const letters = /\p{Script=Latin}{3}/u;

/** The most characters of an unfinished word that are kept. */
const wordKept = 256;

/** The character that stands for bytes that are no character. */
const replacement = '\uFFFD';

/** The characters around the first replacement, for a message. */
const around = 20;

/** The text of one answer. */
export class WrittenText {
  /** Words of three Latin letters or more, between white space. */
  words = 0;
  /** The text around the first U+FFFD. Undefined when none came. */
  replaced: string | undefined;
  /** Whether a character of more than one byte came: one that a tokenizer may split. */
  beyondAscii = false;
  #unfinished = '';

  /** Adds text or thoughts. */
  add(text: string): void {
    this.#look(text);
    const all = this.#unfinished + text;
    const end = /\S*$/.exec(all)?.index ?? 0;
    for (const run of all.slice(0, end).match(/\S+/g) ?? []) if (letters.test(run)) this.words++;
    this.#unfinished = all.slice(end).slice(-wordKept);
  }

  /** Adds a piece of a call's arguments. */
  addArguments(text: string): void {
    this.#look(text);
  }

  #look(text: string): void {
    if (!/[^\0-\x7F]/.test(text)) return;
    this.beyondAscii = true;
    const place = this.replaced === undefined ? text.indexOf(replacement) : -1;
    if (place >= 0) this.replaced = text.slice(Math.max(0, place - around), place + around);
  }
}
