/** Reads an operator's orders, one a line, from the file of `--script` and then from stdin. Obeys them in order. */
import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { WireproofError } from '../base/index.ts';
import type { TraceEvent } from '../base/index.ts';
import { duration } from '../scenario/index.ts';
import type { SimulatorRun } from '../suite/index.ts';
import { OrderCompleter } from './completer.ts';
import { inputLines, linesOf, longestLine } from './input.ts';
import type { LiveSession } from './session.ts';
import { standardStreams } from './standard-streams.ts';

/** An order that a peer takes. */
export interface Order {
  /** The syntax, such as `cancel [REQUEST] [REASON]`; the first word is its name. */
  readonly usage: string;
  readonly text: string;
  /** Obeys the order. @returns the reason of a refusal; undefined when it obeyed */
  obey(rest: string): string | undefined;
}

/** The names of an event. A line such as `wait NAME` waits for one of them. */
export type NamesOf = (event: TraceEvent) => readonly string[];

/** The orders that every peer takes. */
const common: readonly Omit<Order, 'obey'>[] = [
  { usage: 'wait TIME|NAME [TIME]', text: 'wait for a time, or for an event of that name' },
  { usage: 'quit', text: 'stop at once' },
  { usage: 'help', text: 'show this list' },
];
/** The default time limit of a wait for an event (ms). */
const patience = 30_000;
/** The most names that are kept for a wait. Beyond it, the older half is dropped. */
const namesKept = 10_000;

/** The first word of a text, and the rest. */
export function splitWord(text: string): readonly [first: string, rest: string] {
  const [, first = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(text.trim()) ?? [];
  return [first, rest];
}

/** Takes the orders of a live session; see the file's head. */
export class OrderLoop {
  readonly #live: LiveSession;
  readonly #run: SimulatorRun;
  readonly #orders: ReadonlyMap<string, Order>;
  readonly #script: string | undefined;
  /** The names of events since the last order. A wait consumes them. */
  #names: string[] = [];
  #onName: (() => void) | undefined;
  readonly #completer: OrderCompleter;

  /** @throws WireproofError 'usage' when the script does not exist */
  constructor(live: LiveSession, run: SimulatorRun, orders: readonly Order[], namesOf: NamesOf) {
    this.#live = live;
    this.#run = run;
    this.#orders = new Map(orders.map((order) => [splitWord(order.usage)[0], order]));
    this.#completer = new OrderCompleter(
      [...this.#orders.values(), ...common].map(({ usage }) => splitWord(usage)[0]),
    );
    this.#script = live.flags.text('script');
    if (this.#script !== undefined && !existsSync(this.#script))
      throw new WireproofError('usage', `--script ${this.#script}: there is no such file`);
    live.onEvent = (event) => {
      this.#completer.note(event);
      this.#names.push(...namesOf(event));
      if (this.#names.length > namesKept) this.#names.splice(0, namesKept / 2);
      this.#onName?.();
    };
  }

  /**
   * Takes orders. `quit` ends the session, and so does a wait for an event that does not come. After the last line of
   * stdin the peer goes on.
   */
  async take(): Promise<void> {
    const script = this.#script === undefined ? undefined : createReadStream(this.#script, 'utf8');
    const goesOn =
      script === undefined ||
      (await this.#takeAll(linesOf(script as AsyncIterable<string>)).catch((error: unknown) =>
        this.#late(String(error)),
      ));
    if (!goesOn || !(await this.#takeAll(this.#typed()))) this.#live.stop();
  }

  /** The lines of stdin. At a terminal a person edits and completes them. */
  #typed(): AsyncIterable<string | undefined> {
    const { stdin, stderr } = standardStreams(this.#run);
    if (!stdin.isTTY) return inputLines(this.#run);
    const completer = this.#completer.complete;
    const lines = createInterface({ input: stdin, output: stderr, terminal: true, prompt: '> ', completer });
    this.#live.prompt = () => lines.prompt(true);
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    lines.prompt();
    return lines;
  }

  /** @returns whether the session continues */
  async #takeAll(lines: AsyncIterable<string | undefined>): Promise<boolean> {
    for await (const line of lines) {
      if (line === undefined) {
        this.#live.print(`? a line of more than ${longestLine} characters is dropped`);
        continue;
      }
      const [name, rest] = splitWord(line);
      if (name === 'quit') return false;
      if (name === 'wait' && !(await this.#wait(rest))) return false;
      if (name === 'help') this.#live.print(this.#help());
      else if (!['', 'wait'].includes(name) && !name.startsWith('#')) this.#obey(name, rest);
    }
    return true;
  }

  #obey(name: string, rest: string): void {
    const before = this.#names.length;
    const known = [...this.#orders.keys(), ...common.map(({ usage }) => splitWord(usage)[0])].join(', ');
    const order = this.#orders.get(name);
    const refusal = order === undefined ? `no command "${name}"; there are ${known}` : order.obey(rest);
    if (refusal === undefined) this.#names.splice(0, before);
    else this.#live.print(`? ${refusal}`);
  }

  /** Waits for a time, or for an event. @returns false when the event did not come */
  async #wait(text: string): Promise<boolean> {
    const [name, rest] = splitWord(text);
    const time = duration(name);
    const ms = time ?? duration(rest) ?? patience;
    if (name === '') this.#live.print('? expected a time or a name: wait 500ms, wait register, wait done 5s');
    const came = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(time !== undefined), name === '' ? 0 : ms).unref();
      this.#onName = () => {
        const at = this.#names.indexOf(name);
        if (at < 0) return;
        this.#names.splice(0, at + 1);
        clearTimeout(timer);
        resolve(true);
      };
      this.#onName();
    });
    this.#onName = undefined;
    return came || name === '' || this.#late(`no ${name} was seen in ${ms} ms`);
  }

  #late(why: string): false {
    this.#live.inconclusive = true;
    this.#live.print(`? ${why}`);
    return false;
  }

  #help(): string {
    const orders = [...this.#orders.values(), ...common];
    const width = Math.max(...orders.map(({ usage }) => usage.length));
    return orders.map(({ usage, text }) => `  ${usage.padEnd(width)}  ${text}`).join('\n');
  }
}
