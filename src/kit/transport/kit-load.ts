/** The load of the machine, as this process measures it while a check runs. */
import { cpus } from 'node:os';
import { MachineLoad, samplePeriod } from './machine-load.ts';
import { runDelays } from './run-delay.ts';
import { runningPrograms } from './supervision.ts';

/** The share of idle processor time since the last call. */
function idleShare(): () => number {
  let before = { idle: 0, all: 0 };
  return () => {
    let [idle, all] = [0, 0];
    for (const { times } of cpus()) {
      idle += times.idle;
      all += times.user + times.nice + times.sys + times.irq + times.idle;
    }
    const share = all > before.all ? (idle - before.idle) / (all - before.all) : 1;
    before = { idle, all };
    return share;
  };
}

let measured: MachineLoad | undefined;
let timer: NodeJS.Timeout | undefined;
const listeners = new Set<() => void>();

/**
 * Measures the load from now on.
 *
 * @param listener - called after each measurement
 * @returns ends the measurement
 */
export function measureLoad(listener: () => void): () => void {
  listeners.add(listener);
  measured ??= new MachineLoad({
    now: () => performance.now(),
    idle: idleShare(),
    waited: () => runDelays(runningPrograms()),
  });
  const load = measured;
  timer ??= setInterval(() => {
    load.sample();
    for (const listen of listeners) listen();
  }, samplePeriod).unref();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    measured = undefined;
  };
}

/** How long the machine has held up the kit and its programs so far (ms); 0 while nothing is measured. */
export function machineDelay(): number {
  measured?.catchUp();
  return measured?.total ?? 0;
}

/**
 * Waits for a time, and for as much longer as the machine holds it up.
 *
 * @param wait - waits at most this long (ms). Resolves to true when the awaited event came
 */
export async function waitPatiently(ms: number, wait: (ms: number) => Promise<boolean>): Promise<boolean> {
  const began = performance.now();
  const before = machineDelay();
  for (let left = ms; left > 0;) {
    if (await wait(left)) return true;
    left = Math.round(ms + machineDelay() - before - (performance.now() - began));
  }
  return false;
}
