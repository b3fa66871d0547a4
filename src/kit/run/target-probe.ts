/**
 * Finds out whether a listening target can be checked at all: plays the suite's probe until its operator works, the
 * handshake time is over, or the set-up turns out to be wrong. A wrong set-up is never a verdict on the target.
 */
import type { Scenario } from '../base/index.ts';
import type { ListeningTargetKind, ProbeFinding, TargetAddress, TargetSession } from '../suite/index.ts';
import type { CheckRun } from './check-run.ts';
import type { ListeningProgram } from './listening-program.ts';
import { ListeningTarget } from './listening-target.ts';

/** The time between two tries (ms). */
const pause = 100;

/** A target whose streams are lost is tried again for at most this long (ms): it may be dying, or not the one that listens. */
const lostPatience = 2000;

/** The parts of a probe. */
export interface TargetProbeOptions {
  readonly run: CheckRun;
  readonly kind: ListeningTargetKind;
  /** How long it may take until the target's operator works (ms). */
  readonly patience: number;
  /** Numbers for the names of streams. */
  readonly next: () => number;
}

/** The probe of a check, and the service that it found. */
export class TargetProber {
  readonly #options: TargetProbeOptions;
  readonly #scenario: Scenario | undefined;
  readonly #services: readonly string[];
  readonly #playing = new Set<ListeningTarget>();
  /** The set-up is wrong, whatever the target prints. */
  wrong = false;
  #service = 0;
  #stopped = false;
  #noted = false;
  /** A program did not answer, and is judged all the same. Then the others are, too. */
  #judged = false;

  constructor(options: TargetProbeOptions) {
    this.#options = options;
    const { run, kind } = options;
    const { scenarios, service } = run.options;
    this.#scenario = scenarios.find(({ name }) => name === kind.probe?.scenario);
    this.#services = service === undefined ? (kind.services?.known ?? []) : [service];
  }

  /** The service that peers call. */
  readonly service = (): string => this.#services[this.#service] ?? '';

  /** Probes a program that listens. @returns the reason why it cannot be checked; undefined when it can */
  async probe(program: ListeningProgram): Promise<string | undefined> {
    const scenario = this.#scenario;
    if (scenario === undefined) return undefined;
    const began = Date.now();
    for (;;) {
      const found = await this.#play(scenario, program);
      if (this.#stopped || this.#options.run.options.signal.aborted) return 'interrupted';
      if (found.is === 'usable') return this.#note(found.note);
      const next = found.is === 'no-service' && this.#service + 1 < this.#services.length;
      this.wrong = found.is === 'wrong' || (found.is === 'no-service' && !next);
      if (this.wrong || program.ending() !== undefined) return found.why;
      if (next) this.#service++;
      else if (this.#isLast(found, Date.now() - began)) return this.#judged ? undefined : found.why;
      else await new Promise((resolve) => void setTimeout(resolve, pause));
    }
  }

  /** Whether a target that did not answer is not tried again. Notes whether it is judged all the same. */
  #isLast(found: ProbeFinding, tried: number): boolean {
    const lost = found.is === 'not-yet' && found.judged === true;
    const { patience } = this.#options;
    const last = tried > (lost ? Math.min(patience, lostPatience) : patience) || (lost && this.#judged);
    this.#judged = lost && last;
    return last;
  }

  /** Ends the probes in play. */
  stop(): void {
    this.#stopped = true;
    for (const target of this.#playing) target.interrupt();
  }

  /** Adds a sentence to the report, once. */
  #note(note: string | undefined): undefined {
    if (note !== undefined && !this.#noted) this.#options.run.notes.push(note);
    this.#noted ||= note !== undefined;
  }

  async #play(scenario: Scenario, program: ListeningProgram): Promise<ProbeFinding> {
    const { run, kind, patience, next } = this.#options;
    const target = new ListeningTarget({
      run,
      kind,
      scenario,
      program,
      service: this.service,
      probing: true,
      done: () => {},
      next,
    });
    this.#playing.add(target);
    try {
      const failure = await target.start();
      if (failure !== undefined) return { is: 'wrong', why: failure.why };
      endAtFailure(target.session);
      await target.play(scenario);
      return this.#finding(target, program.place, patience);
    } finally {
      this.#playing.delete(target);
      await target.stop();
    }
  }

  #finding({ session }: ListeningTarget, place: TargetAddress, patience: number): ProbeFinding {
    const { run, kind } = this.#options;
    const services = this.#services.slice(0, this.#service + 1);
    const { statement, target } = run.options;
    const started = target.kind === 'command';
    const setup = { driver: run.claims.drive, place, statement, services, patience, started };
    return kind.probe?.finding(session?.events ?? [], setup) ?? { is: 'usable' };
  }
}

/** Ends the probe in play soon after the target failed one of its streams. The trace has the failure then. */
function endAtFailure(session: TargetSession<unknown> | undefined): void {
  if (session === undefined) return;
  session.onEvent = ({ from, kind, data }) => {
    const failed = kind === 'reset' || (kind === 'end' && data['code'] !== 0);
    if (from === 'target' && failed) setImmediate(() => session.abort('the target ended a stream'));
  };
}
