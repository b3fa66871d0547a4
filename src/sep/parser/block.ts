/** The block in which the text of an output stands: outside of all tags, a thought, a response or a context feed. */
import { mostThoughtDepth } from './limits.ts';
import type { DiagnosticCode, SepEvent } from './events.ts';

/** Where the next character stands. */
export type Place = 'top' | 'thought' | 'response' | 'context_feed';

/** Emits the text of the block that is open, and its end. */
export class OpenBlock {
  readonly #emit: (event: SepEvent) => void;
  #place: Place = 'top';
  /** The thoughts that are open inside of each other (SEP-16). */
  #depth = 0;
  #final = true;
  #feed = '';
  #feedIsEmpty = true;

  readonly #tellsDepth: boolean;

  /**
   * @param emit - takes each event
   * @param tellsDepth - whether thoughts have their depth
   */
  constructor(emit: (event: SepEvent) => void, tellsDepth = false) {
    this.#emit = emit;
    this.#tellsDepth = tellsDepth;
  }

  get place(): Place {
    return this.#place;
  }

  openThought(offset: number): void {
    this.#place = 'thought';
    if (++this.#depth <= mostThoughtDepth || !this.#tellsDepth) return;
    this.#emit({
      type: 'diagnostic',
      code: 'too-deep',
      message: `expected at most ${mostThoughtDepth} thoughts inside of each other; this one has the depth ${mostThoughtDepth}`,
      offset,
    });
  }

  openResponse(final: boolean): void {
    this.#place = 'response';
    this.#final = final;
  }

  openFeed(id: string): void {
    this.#place = 'context_feed';
    this.#feed = id;
    this.#feedIsEmpty = true;
  }

  /** Emits a piece of text. */
  text(text: string): void {
    switch (this.#place) {
      case 'top':
        return this.#emit({ type: 'text', text });
      case 'thought':
        return this.#emit(
          this.#tellsDepth
            ? { type: 'thought', text, depth: Math.min(this.#depth, mostThoughtDepth) }
            : { type: 'thought', text },
        );
      case 'response':
        return this.#emit({ type: 'response', text, final: this.#final });
      case 'context_feed':
        this.#feedIsEmpty = false;
        return this.#emit({ type: 'context_feed', id: this.#feed, text });
    }
  }

  /** Ends the block at its closing tag. @returns whether it was a final response */
  close(): boolean {
    const was = this.#place;
    if (was === 'thought' && --this.#depth > 0) return false;
    if (was === 'context_feed' && this.#feedIsEmpty) this.text('');
    this.#place = 'top';
    if (was === 'response') this.#emit({ type: 'response_end', final: this.#final, complete: true });
    return was === 'response' && this.#final;
  }

  /** The remark about a block that the end of the output leaves open (SEP-18). */
  get unclosed(): { readonly code: DiagnosticCode; readonly message: string } | undefined {
    switch (this.#place) {
      case 'top':
        return undefined;
      case 'thought':
        return { code: 'unclosed-thought', message: 'expected </thought> before the end' };
      case 'context_feed':
        return { code: 'unclosed-feed', message: 'expected </context_feed> before the end' };
      case 'response':
        return { code: 'unclosed-response', message: 'expected </response> before the end; it is not final' };
    }
  }

  /** Ends a response that the end of the output leaves open: it is never final (SEP-18). */
  end(): void {
    if (this.#place === 'response') this.#emit({ type: 'response_end', final: false, complete: false });
    this.#place = 'top';
  }
}
