/**
 * A live session with a stranger: shows what crosses, keeps it as a trace, shows violations as they are found, and
 * sums up. A session has one trace, or one for each connection.
 */
import type { Level, TraceEvent, TraceHeader } from '../base/index.ts';
import { TraceWriter, readRequirements } from '../spec/index.ts';
import { remarkLine, trafficLine, violationLine, visible } from '../report/index.ts';
import type { TrafficLine } from '../report/index.ts';
import type { Played } from '../scenario/index.ts';
import type { TargetSession, SimulatorEnd, SimulatorRun, Suite } from '../suite/index.ts';
import { secretRedactor } from '../world/index.ts';
import { Flags } from './flags.ts';

/** An event in words: its text, or more where the event itself does not show the rest. */
export type EventText = string | (Pick<TrafficLine, 'text'> & Partial<TrafficLine>) | undefined;

/** What a session needs to know of its peer. */
export interface SessionOptions {
  /** The suite that judges the other side. */
  readonly suite: Pick<Suite, 'id' | 'protocol'>;
  /** An event in words; undefined: it is not shown to people. */
  readonly textOf: (event: TraceEvent) => EventText;
  /** The other side, as the header of a recorded trace names it. */
  readonly target: string;
  /** What is played, for the same header; absent: `simulate`. */
  readonly scenario?: string;
  readonly seed?: string;
  /** Whether something else has stdout: then the session writes to stderr. */
  readonly stdoutTaken?: boolean;
}

/** One trace of a session. */
export interface LiveTrace {
  /** Takes the next event; `recorded: false` leaves it out of the file. */
  event(event: TraceEvent, options?: { readonly who?: string; readonly recorded?: boolean }): void;
  violated(requirement: string, message: string, who?: string): void;
  end(): void;
}

/** See the file's head. */
export class LiveSession {
  readonly flags: Flags;
  /** Whether the other side is judged. */
  readonly judges: boolean;
  /** Hides secrets; undefined: they are shown. */
  readonly redact: ((secret: string) => string) | undefined;
  /** Resolves when the session is to end: at an interrupt, or by {@link LiveSession.stop}. */
  readonly over: Promise<void>;
  /** Ends the session. */
  stop: () => void = () => {};
  /** Writes the line that is being typed again, below what is said; absent: nothing is typed. */
  prompt: (() => void) | undefined;
  /** Hears every event that is shown or not. */
  onEvent: ((event: TraceEvent) => void) | undefined;
  /** Whether something that was waited for did not come. */
  inconclusive = false;
  readonly #run: SimulatorRun;
  readonly #options: SessionOptions;
  readonly #levels: ReadonlyMap<string, Level>;
  readonly #header: TraceHeader;
  readonly #first: TraceWriter | undefined;
  readonly #form: 'none' | 'json' | 'text';
  readonly #color: boolean;
  #traces = 0;
  #violations = 0;
  #musts = 0;
  #unwritten = false;

  /** @throws WireproofError 'environment' when the trace cannot be written */
  constructor(run: SimulatorRun, options: SessionOptions) {
    this.#run = run;
    this.#options = options;
    this.flags = new Flags(run);
    this.#form = this.flags.on('quiet') ? 'none' : this.flags.on('json') ? 'json' : 'text';
    this.#color = this.#out.isTTY && (run.process.env['NO_COLOR'] ?? '') === '';
    this.judges = this.flags.on('rules');
    this.redact = this.flags.on('redact') ? secretRedactor() : undefined;
    this.over = new Promise((resolve) => {
      this.stop = resolve;
      run.interrupt.addEventListener('abort', () => resolve());
    });
    const { revision, requirements } = readRequirements(options.suite.protocol);
    this.#levels = new Map(requirements.map(({ id, level }) => [id, level]));
    const { suite, target, scenario = 'simulate', seed = '0' } = options;
    const started = Date.now();
    this.#header = { wireproof: 'trace/1', suite: suite.id, revision, seed, scenario, target, started };
    const path = this.flags.text('record');
    if (path !== undefined) this.#first = new TraceWriter(path, this.#header);
  }

  /** Begins a trace. The first is kept under the name that `--record` gives, the second as `NAME-2`, and so on. */
  open(): LiveTrace {
    const number = ++this.#traces;
    const name = number > 1 ? String(number) : '';
    const writer = this.#writer(number);
    let recorded = 0;
    return {
      event: (event, { who = name, recorded: isRecorded = true } = {}) => {
        if (isRecorded) this.#write(() => writer?.write([{ ...event, seq: recorded++ }]));
        this.onEvent?.(event);
        this.#show(event, who);
      },
      violated: (requirement, message, who = name) => this.#violated(requirement, message, who),
      end: () => this.#write(() => writer?.close()),
    };
  }

  /** Begins a trace of what crosses and is violated in a suite's session. */
  follow<V>(session: TargetSession<V>): LiveTrace {
    const trace = this.open();
    session.onEvent = (event) => trace.event(event);
    session.judge.onViolation = (id, { message }) => trace.violated(id, message);
    return trace;
  }

  /** Says something to people: among the traffic, but never among JSON. */
  say(text: string): void {
    this.#line(this.flags.on('json') ? this.#run.process.stderr : this.#out, text);
  }

  /** Shows a remark of the peer about itself. */
  remark(text: string): void {
    this.say(remarkLine(text, { color: this.#color }));
  }

  /** Says something to people beside the traffic. */
  tell(text: string): void {
    this.#line(this.#run.process.stderr, text);
  }

  /** Sums up a session that played a scenario; undefined: nobody came to play it with. */
  playedScenario(name: string, played: Played | undefined): SimulatorEnd {
    const outcome = played === undefined ? 'nobody got ready' : (played.reason ?? 'played to its end');
    this.tell(`${name}: ${visible(outcome)}; ${this.#musts} violations of a MUST`);
    this.inconclusive ||= played?.outcome !== 'done';
    return this.#run.interrupt.aborted ? 'interrupted' : this.#end();
  }

  /** Sums up. @returns how the session ended */
  sumUp(): SimulatorEnd {
    const counts = `${this.#violations} violations, ${this.#musts} of a MUST; wireproof explain ID says more`;
    if (this.judges) this.tell(this.#violations === 0 ? 'no violation was seen' : counts);
    return this.#end();
  }

  #end(): SimulatorEnd {
    if (this.#musts > 0) return 'notConformant';
    if (this.#unwritten) return 'environment';
    return this.inconclusive ? 'inconclusive' : 'conformant';
  }

  #writer(number: number): TraceWriter | undefined {
    if (number === 1) return this.#first;
    let writer: TraceWriter | undefined;
    const path = this.flags.text('record')?.replace(/(\.\w+)?$/, `-${number}$1`);
    if (path !== undefined) this.#write(() => (writer = new TraceWriter(path, this.#header)));
    return writer;
  }

  /** Writes to a trace file; when that fails, the session goes on, says so once, and ends in `environment`. */
  #write(act: () => void): void {
    if (this.#unwritten) return;
    try {
      act();
    } catch (error) {
      this.#unwritten = true;
      this.tell(error instanceof Error ? error.message : String(error));
    }
  }

  #show(event: TraceEvent, who: string): void {
    if (this.#form === 'none') return;
    if (this.#form === 'json') return this.#line(this.#out, JSON.stringify(event));
    const text = this.#options.textOf(event);
    if (text === undefined) return;
    const line = { at: event.at, who, incoming: event.from === 'target' };
    const more = typeof text === 'string' ? { text } : text;
    this.#line(this.#out, trafficLine({ ...line, ...more }, { color: this.#color }));
  }

  #violated(requirement: string, message: string, who: string): void {
    const level = this.#levels.get(requirement) ?? 'MUST';
    this.#violations++;
    if (level === 'MUST') this.#musts++;
    this.say(violationLine({ requirement, level, message, who }, { color: this.#color }));
  }

  get #out(): NodeJS.WriteStream {
    const { stdout, stderr } = this.#run.process;
    return this.#options.stdoutTaken === true ? stderr : stdout;
  }

  #line(stream: NodeJS.WritableStream, text: string): void {
    if (this.prompt !== undefined) this.#run.process.stderr.write('\r\u001b[K');
    stream.write(`${text}\n`);
    this.prompt?.();
  }
}
