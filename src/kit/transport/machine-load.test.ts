/** The load of a machine: what counts as a delay, and what does not. */
import { describe, expect, it } from 'vitest';
import { MachineLoad, samplePeriod } from './machine-load.ts';
import type { WaitedSoFar } from './machine-load.ts';

/** How long the threads of programs have waited, and those of the kit. */
const waits = (...ms: number[]): WaitedSoFar => ({
  kit: 0,
  programs: new Map(ms.map((one, i) => [i + 1, one])),
});

/** A machine whose measurements a test gives. */
class Machine {
  time = 0;
  idle = 1;
  waited: WaitedSoFar | undefined = waits();
  readonly load = new MachineLoad({
    now: () => this.time,
    idle: () => this.idle,
    waited: () => this.waited,
  });

  /** Passes one period, whose measurement is late by `late` ms. @returns the delay that it found */
  period(late = 0): number {
    const before = this.load.total;
    this.time += samplePeriod + late;
    this.load.sample();
    return Math.round(this.load.total - before);
  }
}

describe('the load of a machine', () => {
  it('is no delay on an idle machine, also when threads had waited and a timer is a little late', () => {
    const machine = new Machine();
    machine.waited = waits(5000);
    expect([machine.period(), machine.period(15), machine.period()]).toEqual([0, 0, 0]);
  });

  it('is the lateness of the kit', () => {
    const machine = new Machine();
    expect(machine.period(150)).toBe(150);
  });

  it('is the time that a program waited for a processor, from the first measurement on a busy machine on', () => {
    const machine = new Machine();
    machine.idle = 0;
    machine.waited = waits(1000, 500);
    expect(machine.period()).toBe(0);
    machine.waited = waits(1020, 620);
    expect(machine.period()).toBe(120);
    machine.waited = waits(1020, 620, 4000);
    expect(machine.period()).toBe(0);
  });

  it('is the time that the kit waited, too', () => {
    const machine = new Machine();
    machine.idle = 0;
    machine.waited = waits(0);
    machine.period();
    machine.waited = { ...waits(40), kit: 30 };
    expect(machine.period()).toBe(70);
  });

  it('is at most nine tenths of the time, so that a target that hangs is found', () => {
    const machine = new Machine();
    machine.idle = 0;
    machine.waited = waits(0);
    machine.period();
    machine.waited = waits(10_000);
    expect(machine.period()).toBe(180);
    expect(machine.period(10_000)).toBe(9180);
  });

  it('is half of the busy time where nothing is known of the program', () => {
    const machine = new Machine();
    machine.idle = 0.1;
    machine.waited = undefined;
    expect(machine.period()).toBe(100);
    machine.waited = waits();
    expect(machine.period()).toBe(100);
  });

  it('is measured at an event whose timer is late', () => {
    const machine = new Machine();
    machine.time += samplePeriod;
    machine.load.catchUp();
    expect(machine.load.total).toBe(0);
    machine.time += 1000;
    machine.load.catchUp();
    expect(machine.load.total).toBe(1080);
  });
});
