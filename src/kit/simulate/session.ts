/**
 * A live session with another program. It shows the traffic and the violations, records the trace, and sums up at the
 * end. A session has one trace, or one for each connection.
 */
import { exactText, quietJson } from '../base/index.ts';
import type { JsonObject, Level, TraceEvent, TraceHeader } from '../base/index.ts';
import {
  neutraliseCommands,
  summaryLine,
  trafficLine,
  usesColour,
  violationLine,
  visible,
} from '../report/index.ts';
import type { TrafficLine } from '../report/index.ts';
import type { ScenarioEnd } from '../scenario/index.ts';
import { beginTrace, liveScenario } from '../spec/index.ts';
import { DelayMarks, suiteRows, TargetSession } from '../suite/index.ts';
import { machineDelay, measureLoad } from '../transport/index.ts';
import type { SimulatorEnd, SimulatorRun, Suite, SuiteLists, TargetSessionOptions } from '../suite/index.ts';
import { freshSeed, realClock, secretRedactor, seededRandom, withoutCredentials } from '../world/index.ts';
import { Flags } from './flags.ts';
import { standardStreams } from './standard-streams.ts';

/** The text of an event for people, or a traffic line whose further members replace those of the event. */
export type EventText = string | (Pick<TrafficLine, 'text'> & Partial<TrafficLine>) | undefined;

/** The peer's part of a session. */
export interface SessionOptions {
  /** The suite that judges the other side. */
  readonly suite: SuiteLists;
  /** The text of an event; undefined: the event is not shown to people. */
  readonly textOf: (event: TraceEvent) => EventText;
  /** The other side, for the header of a recorded trace. */
  readonly target: string;
  /** The scenario and the seed, for the header of a recorded trace. */
  readonly scenario?: string;
  readonly seed?: string;
  /** Whether stdout carries messages. Then the session writes to stderr. */
  readonly stdoutTaken?: boolean;
}

/** One trace of a session. */
export interface LiveTrace {
  /** Takes the next event; `recorded: false` leaves it out of the file. */
  event(event: TraceEvent, options?: { readonly who?: string; readonly recorded?: boolean }): void;
  /** Takes a violation of the party `who`. */
  violated(requirement: string, message: string, who?: string): void;
}

/** How often a session's judge is asked for overdue events (ms). */
const tick = 1000;

type Write = (events: readonly TraceEvent[]) => void;

export class LiveSession {
  readonly flags: Flags;
  /** Whether the other side is judged. */
  readonly judges: boolean;
  /** Hides a secret; undefined: secrets are shown. */
  readonly redact: ((secret: string) => string) | undefined;
  /** Resolves at an interrupt, or by {@link LiveSession.stop}. */
  readonly ended: Promise<void>;
  /** Ends the session. */
  stop: () => void = () => {};
  /** Writes the operator's unfinished line again, below a printed line; undefined: there is no operator. */
  prompt: (() => void) | undefined;
  /** Called with every event, including hidden ones. */
  onEvent: ((event: TraceEvent) => void) | undefined;
  /** Whether an awaited event did not come. */
  inconclusive = false;
  readonly #run: SimulatorRun;
  readonly #options: SessionOptions;
  /** `isTTY` is absent on a pipe. */
  readonly #out: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly #color: boolean;
  readonly #form: 'none' | 'json' | 'text';
  readonly #levels: ReadonlyMap<string, Level>;
  readonly #header: TraceHeader;
  readonly #first: Write | undefined;
  #traces = 0;
  #violations = 0;
  #mustViolations = 0;
  #traceFailed = false;

  /** @throws WireproofError 'environment' when the trace cannot be written */
  constructor(run: SimulatorRun, options: SessionOptions) {
    const { suite, target, scenario = liveScenario, seed = '0', stdoutTaken = false } = options;
    const { stdout, stderr, env } = standardStreams(run);
    this.#run = run;
    this.#options = options;
    this.flags = new Flags(run);
    this.judges = this.flags.on('rules');
    this.redact = this.flags.on('redact') ? secretRedactor() : undefined;
    this.ended = new Promise((resolve) => {
      this.stop = resolve;
      run.interrupt.addEventListener('abort', () => resolve());
    });
    this.#out = stdoutTaken ? stderr : stdout;
    this.#color = usesColour(this.#out, env);
    this.#form = this.flags.on('quiet') ? 'none' : this.flags.on('json') ? 'json' : 'text';
    const { revision, requirements } = suiteRows(suite);
    this.#levels = new Map(requirements.map(({ id, level }) => [id, level]));
    const started = Date.now();
    this.#header = { wireproof: 'trace/1', suite: suite.id, revision, seed, scenario, target, started };
    // The reader of the pipe is gone: nobody sees the session any more.
    this.#out.on('error', () => this.stop());
    const path = this.flags.text('record');
    if (path !== undefined) this.#first = beginTrace(path, this.#header);
  }

  /** Begins a trace. `--record` names the file of the first one. The second one goes to `NAME-2`, and so on. */
  open(): LiveTrace {
    const number = ++this.#traces;
    const name = number > 1 ? String(number) : '';
    const write = number > 1 ? this.#nextTrace(number) : this.#first;
    let seq = 0;
    return {
      event: (event, { who = name, recorded = true } = {}) => {
        if (recorded && write !== undefined) this.#try(() => write([{ ...event, seq: seq++ }]));
        this.onEvent?.(event);
        this.#show(event, who);
      },
      violated: (requirement, message, who = name) => this.#violated(requirement, message, who),
    };
  }

  /** Begins a trace of the events and violations of a suite's session. */
  follow<V>(session: TargetSession<V>): void {
    const trace = this.open();
    for (const event of session.events) trace.event(event);
    session.onEvent = (event) => trace.event(event);
    session.judge.onViolation = (id, { message }) => trace.violated(id, message);
    const ticking = setInterval(() => session.tick(), tick).unref();
    void this.ended.then(() => clearInterval(ticking));
    this.markDelays((data) => session.mark(data));
  }

  /** Marks the delays of a busy machine in a trace, as long as this session lasts. */
  markDelays(mark: (data: JsonObject) => void): void {
    const delays = new DelayMarks(machineDelay, mark);
    const stop = measureLoad(() => delays.note());
    void this.ended.then(stop);
  }

  /** The options of a suite's session within this session. */
  settings<V>(suite: Suite<V>): TargetSessionOptions<V> {
    return {
      suite,
      clock: realClock(),
      epoch: Date.now(),
      random: seededRandom(freshSeed()),
      drive: 'directive',
      timeouts: suite.timeouts,
      timeoutScale: 1,
      redact: this.redact,
      fault: () => {},
      ...(this.judges ? {} : { only: new Set<string>() }),
    };
  }

  /** Prints a traffic line that puts events together, for people only. */
  line(line: Pick<TrafficLine, 'at' | 'text'> & Partial<TrafficLine>): void {
    if (this.#form !== 'text') return;
    this.#line(this.#out, trafficLine({ who: '', incoming: true, ...line }, { color: this.#color }));
  }

  /** Prints a text among the traffic lines; to stderr when the traffic is JSON. */
  print(text: string): void {
    this.#line(this.#form === 'json' ? standardStreams(this.#run).stderr : this.#out, harmless(text));
  }

  /** Prints a text to stderr. */
  notify(text: string): void {
    this.#line(standardStreams(this.#run).stderr, harmless(text));
  }

  /** Sums up a session that played a scenario. `played` is undefined when no target got ready. */
  playedScenario(name: string, played: ScenarioEnd | undefined): SimulatorEnd {
    const outcome = played === undefined ? 'no target got ready' : (played.reason ?? 'played to its end');
    this.notify(`${name}: ${outcome}; ${this.#mustViolations} violations of a MUST`);
    this.inconclusive ||= played?.outcome !== 'done';
    return this.#run.interrupt.aborted ? 'interrupted' : this.#end();
  }

  /** Sums up. @returns how the session ended */
  sumUp(): SimulatorEnd {
    this.prompt &&= () => {};
    if (this.judges) this.notify(summaryLine(this.#violations, this.#mustViolations));
    return this.#end();
  }

  #end(): SimulatorEnd {
    if (this.#mustViolations > 0) return 'notConformant';
    if (this.#traceFailed) return 'environment';
    return this.inconclusive ? 'inconclusive' : 'conformant';
  }

  #nextTrace(number: number): Write | undefined {
    const path = this.flags.text('record')?.replace(/(\.\w+)?$/, `-${number}$1`);
    return path === undefined ? undefined : this.#try(() => beginTrace(path, this.#header));
  }

  /** Waits until the reader of stdout has taken the lines so far, or the session has ended. */
  async drained(): Promise<void> {
    const out = this.#out;
    if (out.writable && 'writableNeedDrain' in out && out.writableNeedDrain === true)
      await Promise.race([new Promise((resolve) => out.once('drain', resolve)), this.ended]);
  }

  /** Writes to a trace file. At the first failure, the session prints the error and stops recording. */
  #try<T>(write: () => T): T | undefined {
    try {
      if (!this.#traceFailed) return write();
    } catch (error) {
      this.#traceFailed = true;
      this.notify(error instanceof Error ? error.message : String(error));
    }
    return undefined;
  }

  #show(event: TraceEvent, who: string): void {
    if (this.#form === 'none') return;
    if (this.#form === 'json') return this.#line(this.#out, quietJson(exactText(event)));
    const words = this.#options.textOf(event);
    if (words === undefined) return;
    const line = { at: event.at, who, incoming: event.from === 'target' };
    const more = typeof words === 'string' ? { text: words } : words;
    this.#line(this.#out, trafficLine({ ...line, ...more }, { color: this.#color }));
  }

  #violated(requirement: string, message: string, who: string): void {
    const level = this.#levels.get(requirement) ?? 'MUST';
    this.#violations++;
    if (level === 'MUST') this.#mustViolations++;
    const line = violationLine({ requirement, level, message, who }, { color: this.#color });
    this.#line(this.#form === 'json' ? standardStreams(this.#run).stderr : this.#out, line);
  }

  #line(stream: NodeJS.WritableStream, text: string): void {
    if (this.prompt !== undefined) standardStreams(this.#run).stderr.write('\r\u001b[K');
    stream.write(`${this.redact === undefined ? text : withoutCredentials(text, this.redact)}\n`);
    this.prompt?.();
  }
}

/** A text of several lines for a terminal or a CI log. */
const harmless = (text: string): string =>
  neutraliseCommands(visible(text, { limit: Infinity, multiline: true }));
