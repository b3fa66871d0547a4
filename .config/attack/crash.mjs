// Kills the kit, or its target, at any moment: nothing is left behind, and every trace can be read to its last whole line.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { instruct } from './ask.mjs';
import { run, start } from './kit.mjs';

/** Cycles that run side by side. */
const together = 4;

/** The exit codes of a verdict. */
const verdicts = [0, 1, 4];

/** Kills a recording simulator while it works. @returns the fault; undefined: its trace can be judged */
async function killKit(folder, i) {
  const trace = join(folder, `${i}.jsonl`);
  const args = ['toon/subagent', '--listen', '127.0.0.1:0', '--quiet', '--record', trace];
  const kit = start(['simulate', ...args]);
  const [, port] = await kit.line(/127\.0\.0\.1:(\d+)/);
  const asking = [instruct(port), instruct(port)];
  await sleep(Math.random() * 300);
  kit.child.kill('SIGKILL');
  const { orphans } = await kit.ended;
  await Promise.all(asking);
  if (orphans > 0) return `${orphans} processes left`;
  if (!existsSync(trace)) return 'no trace';
  const text = readFileSync(trace, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1).trimEnd();
  if (whole === '') return undefined;
  for (const line of whole.split('\n')) JSON.parse(line);
  const judged = await run(['judge', trace]);
  return verdicts.includes(judged.code)
    ? undefined
    : `judge: exit ${judged.code}: ${judged.stderr.slice(-200)}`;
}

/** Kills the target of a check. @returns the fault; undefined: the check has ended with a report */
async function killTarget(folder) {
  const agent = resolve('conformance/examples/fold-agent.mjs');
  const scenarios = ['--scenario', 'tool-success', '--scenario', 'lost-and-back'];
  const flags = ['--json', '--trace', 'off', ...scenarios];
  const kit = start(['check', 'fold/agent', ...flags, '--', process.execPath, agent], { cwd: folder });
  await sleep(Math.random() * 2500);
  for (const pid of kit.targets()) process.kill(pid, 'SIGKILL');
  const { orphans, code, hung, stdout } = await kit.ended;
  if (hung) return 'the check did not end';
  if (orphans > 0) return `${orphans} processes left`;
  if (![...verdicts, 3].includes(code)) return `exit ${code}`;
  if (JSON.parse(stdout).wireproof !== 'report/1') return 'no report';
  return undefined;
}

/** Interrupts a check while it works. @returns the fault; undefined: it ended at once and left nothing behind */
async function interrupt(folder) {
  const agent = resolve('conformance/examples/fold-agent.mjs');
  const kit = start(['check', 'fold/agent', '--trace', 'off', '--', process.execPath, agent], {
    cwd: folder,
  });
  await sleep(Math.random() * 3000);
  kit.child.kill('SIGINT');
  const { orphans, code, hung } = await kit.ended;
  if (hung) return 'the check did not end';
  if (orphans > 0) return `${orphans} processes left`;
  // Before its first line runs, Node ends by the signal itself.
  return code === 130 || code === null ? undefined : `exit ${code}`;
}

/** A row of so many cycles: half of them kill the kit, and half the target. */
export const crashes = (tries) =>
  cycles('kill -9 of the kit and of its target', tries, (folder, i) =>
    i % 2 === 0 ? killKit(folder, i) : killTarget(folder),
  );

/** A row of so many interrupts. */
export const interrupts = (tries) => cycles('an interrupt of the kit', tries, interrupt);

/** A row of so many tries of a cycle, some of them side by side. `cycle`: gets a folder and its number, and returns its fault. */
export const cycles = (name, tries, cycle) => ({
  name,
  tries,
  async attack() {
    const folder = mkdtempSync(join(tmpdir(), 'wireproof-crash-'));
    const began = performance.now();
    const faults = [];
    let next = 0;
    const worker = async () => {
      for (let i = next++; i < tries; i = next++) {
        const fault = await cycle(folder, i).catch(String);
        if (fault !== undefined) faults.push(fault);
      }
    };
    await Promise.all(Array.from({ length: together }, worker));
    rmSync(folder, { recursive: true, force: true });
    const seconds = (performance.now() - began) / 1000;
    const wrong =
      faults.length === 0 ? [] : [`${faults.length} cycles: ${[...new Set(faults)].slice(0, 3).join('; ')}`];
    return { peak: 0, orphans: 0, hung: false, seconds, wrong };
  },
});
