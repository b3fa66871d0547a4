/** The blocks of extensions that are open around the next character: conditions, loops and groups inside of each other. */
import { mostBlockLevels } from './limits.ts';
import type { BlockName, SepEvent } from './events.ts';

/** A block whose end has not come. */
interface OpenLevel {
  readonly name: BlockName;
  hasElse: boolean;
}

/** Emits the begin, the branch and the end of blocks. A tag that does not fit changes nothing. */
export class Nesting {
  readonly #emit: (event: SepEvent) => void;
  readonly #open: OpenLevel[] = [];

  /** @param emit - takes each event */
  constructor(emit: (event: SepEvent) => void) {
    this.#emit = emit;
  }

  /** How many blocks are open. */
  get depth(): number {
    return this.#open.length;
  }

  /** Begins a block. @returns false: there are too many around it */
  open(name: BlockName, attributes: ReadonlyMap<string, string>): boolean {
    if (this.depth >= mostBlockLevels) return false;
    this.#open.push({ name, hasElse: false });
    this.#emit({ type: 'block', name, attributes: Object.fromEntries(attributes) });
    return true;
  }

  /** Begins the other part of a condition. @returns false: no condition is open that has none */
  branch(): boolean {
    const level = this.#open.at(-1);
    if (level?.name !== 'if' || level.hasElse) return false;
    level.hasElse = true;
    this.#emit({ type: 'branch' });
    return true;
  }

  /** Ends the innermost block. @returns false: it has another name */
  close(name: BlockName): boolean {
    if (this.#open.at(-1)?.name !== name) return false;
    this.#open.pop();
    this.#emit({ type: 'block_end', name, complete: true });
    return true;
  }

  /** Ends what the end of the output leaves open. */
  end(offset: number): void {
    for (let level = this.#open.pop(); level !== undefined; level = this.#open.pop()) {
      const { name } = level;
      const message = `expected </${name}> before the end`;
      this.#emit({ type: 'diagnostic', code: 'unclosed-block', message, offset });
      this.#emit({ type: 'block_end', name, complete: false });
    }
  }
}
