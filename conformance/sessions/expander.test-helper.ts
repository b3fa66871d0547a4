/** Makes whole traces of the sessions of a folder: each is written out, exchanges in a frame, or edits of another one. */
import type { JsonObject, TraceEvent } from '../../src/kit/base/index.ts';
import { edited } from './edits.test-helper.ts';
import type { Entry } from './file.test-helper.ts';
import { framed } from './frame.test-helper.ts';
import type { Exchange, Framed } from './frame.test-helper.ts';

/** A session in full. */
export interface Expanded {
  readonly scenario: string;
  readonly note: string;
  readonly hello: JsonObject;
  readonly exchanges: readonly Exchange[];
  readonly events: readonly TraceEvent[];
}

/** The name of a session without its ending, as `of` has it. */
export const nameOf = ({ stem, is }: Entry): string => `${stem}.${is}`;

/** Whether others may be said as what differs from a session: its events, or its exchanges, are in the file. */
const isBase = ({ edits, exchanges = [], why }: Entry): boolean =>
  why === undefined &&
  edits === undefined &&
  exchanges.every((exchange) => exchange.case !== undefined && exchange.request !== undefined);

export class Expander {
  readonly #frames: ReadonlyMap<string, readonly TraceEvent[]>;
  readonly #byName = new Map<string, Entry>();
  /** The base of each entry that names none. */
  readonly #above = new Map<Entry, Entry>();
  readonly #expanded = new Map<Entry, Expanded | 'begun'>();

  /**
   * `frames`: by suite.
   *
   * @throws Error with file and line when two sessions have one name
   */
  constructor(entries: readonly Entry[], frames: ReadonlyMap<string, readonly TraceEvent[]>) {
    this.#frames = frames;
    let base: Entry | undefined;
    for (const entry of entries) {
      if (isBase(entry)) base = entry;
      else if (base !== undefined && base.stem === entry.stem && base.suite === entry.suite)
        this.#above.set(entry, base);
      // A variation has its edits in its name.
      if (entry.why !== undefined) continue;
      const other = this.#byName.get(nameOf(entry));
      if (other !== undefined)
        throw new Error(`${entry.where}: ${nameOf(entry)} is the name of another session, ${other.where}`);
      this.#byName.set(nameOf(entry), entry);
    }
  }

  /** @throws Error with file and line */
  expand(entry: Entry): Expanded {
    const known = this.#expanded.get(entry);
    if (known === 'begun') throw new Error(`${entry.where}: it changes itself`);
    if (known !== undefined) return known;
    this.#expanded.set(entry, 'begun');
    const expanded = this.#made(entry);
    this.#expanded.set(entry, expanded);
    return expanded;
  }

  #made(entry: Entry): Expanded {
    const base = isBase(entry) ? undefined : this.expand(this.#baseOf(entry));
    const { edits } = entry;
    const {
      scenario = base?.scenario ?? 'clause',
      note = base?.note ?? '',
      hello = base?.hello ?? {},
    } = entry;
    const exchanges = exchangesOf(entry, base);
    const said = { scenario, note, hello, exchanges: exchanges ?? [] };
    try {
      const events = exchanges ? this.#framed(entry, said) : (base?.events ?? entry.events);
      return { ...said, events: edits ? edited(events, edits) : events };
    } catch (error) {
      throw new Error(`${entry.where}: ${error instanceof Error ? error.message : ''}`, { cause: error });
    }
  }

  #baseOf(entry: Entry): Entry {
    const base = entry.of === undefined ? this.#above.get(entry) : this.#byName.get(entry.of);
    if (base === undefined)
      throw new Error(
        entry.of === undefined
          ? `${entry.where}: no session that is written out stands above it; name one with "of"`
          : `${entry.where}: it changes ${entry.of}, which no file has`,
      );
    if (base.suite !== entry.suite)
      throw new Error(`${entry.where}: it changes ${nameOf(base)}, which is of ${base.suite}`);
    return base;
  }

  #framed({ suite, row }: Entry, said: Omit<Framed, 'row'>): readonly TraceEvent[] {
    const frame = this.#frames.get(suite);
    if (frame === undefined) throw new Error(`${suite} has no file frame.<role>.jsonl`);
    return framed(frame, { row, ...said });
  }
}

/** The exchanges of a session. What one does not say is as in the exchange of the base at its place. */
function exchangesOf(entry: Entry, base: Expanded | undefined): readonly Exchange[] | undefined {
  return entry.exchanges?.map((exchange, k) => {
    const { case: told = base?.exchanges[k]?.case, request = base?.exchanges[k]?.request } = exchange;
    if (told === undefined || request === undefined)
      throw new Error(`${entry.where}: exchange ${k + 1} has no "case" and "request", nor has its base`);
    return { ...exchange, case: told, request };
  });
}
