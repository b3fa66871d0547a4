/**
 * How long a busy machine has held up the kit and the programs that it started. It is the time that their threads waited
 * for a processor, which Linux counts, and the lateness of a timer of the kit. Elsewhere, and for programs that the kit did
 * not start, half of the time counts in which no processor was idle.
 */

/** How long threads have waited for a processor so far (ms). */
export interface WaitedSoFar {
  /** The threads of the kit. */
  readonly kit: number;
  /** The threads of each program that the kit has started. */
  readonly programs: ReadonlyMap<number, number>;
}

/** The sources of the measurement. */
export interface LoadSources {
  /** Milliseconds that never decrease. */
  now(): number;
  /** The share of processor time that was idle since the last call, from 0 to 1. */
  idle(): number;
  /** How long threads have waited for a processor so far (ms); undefined where the system does not say. */
  waited(): WaitedSoFar | undefined;
}

/** How often the load is measured (ms). */
export const samplePeriod = 200;
/** A timer may be late by this much on an idle machine (ms). */
const usualLateness = 20;
/** A machine is busy below this share of idle time. */
const busyBelow = 0.15;
/** The part of a period that counts at most, so that time always goes on: a target that hangs is found later, but found. */
const mostOfPeriod = 0.9;
/** The part of a period that counts when the system does not say how long programs waited. */
const assumedPart = 0.5;

export class MachineLoad {
  /** The delay so far (ms). */
  total = 0;
  readonly #sources: LoadSources;
  #last: number;
  #before: WaitedSoFar | undefined;

  constructor(sources: LoadSources) {
    this.#sources = sources;
    this.#last = sources.now();
    sources.idle();
  }

  /** Measures the time since the last measurement. Call it every {@link samplePeriod}. */
  sample(): void {
    const { now, idle } = this.#sources;
    const time = now();
    const elapsed = time - this.#last;
    this.#last = time;
    const late = elapsed - samplePeriod;
    const lateness = late > usualLateness ? late : 0;
    const isBusy = idle() < busyBelow || lateness > samplePeriod;
    const waited = isBusy ? this.#waited(elapsed) : this.#rest();
    this.total += Math.min(lateness + waited, elapsed * mostOfPeriod);
  }

  /** Measures when the timer that should do so is late: what comes now may have waited for the kit. */
  catchUp(): void {
    if (this.#sources.now() - this.#last > samplePeriod + usualLateness) this.sample();
  }

  #rest(): number {
    this.#before = undefined;
    return 0;
  }

  /** How long the kit, and the program that waited longest, have waited since the last measurement on a busy machine (ms). */
  #waited(elapsed: number): number {
    const now = this.#sources.waited();
    const before = this.#before;
    this.#before = now;
    if (now === undefined || now.programs.size === 0) return elapsed * assumedPart;
    if (before === undefined) return 0;
    const ofProgram = [...now.programs].map(([program, ms]) => ms - (before.programs.get(program) ?? ms));
    return Math.max(0, now.kit - before.kit) + Math.max(0, ...ofProgram);
  }
}
