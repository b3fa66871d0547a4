/** A kit that is killed, or whose target leaves its process group: no process and no scratch folder stays. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { hasEnded, ownName } from '../../src/kit/transport/index.ts';
import { until } from '../../src/kit/world/until.test-helper.ts';
import {
  program,
  scratch,
  startNode,
  startWireproof,
  untilProcesses,
  wireproof,
} from '../run.test-helper.ts';
import { reference } from '../run.test-helper.ts';
import type { RunningProgram } from '../run.test-helper.ts';

const slow = ['--timeout', 'handshake=100s', '--trace', 'off'];

/** A shell script that sleeps long. The times of its sleep are in no other command line, and in that of no other test. */
const sleeping = (text: string, time: string): readonly string[] => [
  'sh',
  program(`killed-${time}.sh`, text.replaceAll('SLEEP', `sleep ${time}`)),
];

let count = 0;

/** A folder for temporary files, and a time of sleep by which the processes of a test are found. */
function place(): { readonly tmp: string; readonly time: string } {
  const tmp = mkdtempSync(join(scratch, 'killed-'));
  return { tmp, time: `9${process.pid}.${++count}` };
}

/** Kills the kit when its target runs, and waits until nothing of it is left. */
async function kill(kit: RunningProgram, { tmp, time }: ReturnType<typeof place>): Promise<void> {
  await untilProcesses(`sleep ${time}`, (n) => n > 0);
  kit.child.kill('SIGKILL');
  // The argument of the guard is the folder.
  for (const text of [`sleep ${time}`, tmp]) await untilProcesses(text, (n) => n === 0);
  expect(readdirSync(tmp)).toEqual([]);
}

describe.runIf(process.platform === 'linux')('after a kill -9 of the kit, nothing is left of', () => {
  it.each<readonly [string, string]>([
    ['a target that ignores TERM', "trap '' HUP INT TERM; SLEEP & SLEEP"],
    ['a target that closes its output', 'exec <&- >&- 2>&-; SLEEP & SLEEP'],
    ['a process in a session of its own, without an environment', 'setsid env -i SLEEP & SLEEP'],
    ['such a process whose parent has ended', '(setsid env -i SLEEP &); exec sleep 1000'],
  ])('%s', async (_, text) => {
    const here = place();
    const args = ['check', 'fold/agent', ...slow, '--', ...sleeping(text, here.time), '{address}'];
    await kill(startWireproof(args, { env: { TMPDIR: here.tmp } }), here);
  });

  it('a program that shares the terminal of the kit', async () => {
    const here = place();
    const command = sleeping('setsid env -i SLEEP & SLEEP', here.time);
    const args = ['simulate', 'llm', '--listen', '127.0.0.1:0', '--', ...command];
    await kill(startWireproof(args, { env: { TMPDIR: here.tmp } }), here);
  });

  it('a command of an operator, and the gateway that it talks to', async () => {
    const here = place();
    const send = JSON.stringify(sleeping("trap '' TERM; SLEEP", here.time));
    const statement = program(
      `killed-${count}.yaml`,
      `suite: fold/gateway\noperator:\n  driver: command\n  commands:\n    send: ${send}\n`,
    );
    const gateway = reference('simulate', 'fold/gateway', '--listen', '{listen}', '--http', 'off');
    const flags = ['--trace', 'off', '--scenario', 'gateway-burst', '--statement', statement];
    const args = ['check', 'fold/gateway', ...flags, '--', ...gateway];
    await kill(startWireproof(args, { env: { TMPDIR: here.tmp } }), here);
  });

  it('a check in the process of a test, which it does not keep running', async () => {
    const here = place();
    const library = JSON.stringify(join(packageRoot(), 'dist/doors/check.js'));
    const command = JSON.stringify([...sleeping('setsid env -i SLEEP & SLEEP', here.time), '{address}']);
    const text = `
import { check } from ${library};
const target = { command: ['true', '{address}'] };
await check({ suite: 'fold/agent', target }).catch(() => {});
console.log('over');
if (process.argv[2] === 'go') await check({ suite: 'fold/agent', target: { command: ${command} }, timeouts: { handshake: '100s' } });
`;
    const path = program(`killed-${count}.mjs`, text);
    const env = { TMPDIR: here.tmp };
    const { code, stdout } = await startNode([path], { env }).ended;
    expect([code, stdout, readdirSync(here.tmp)]).toEqual([0, 'over\n', []]);
    await kill(startNode([path, 'go'], { env }), here);
  });
});

describe.runIf(process.platform === 'linux')('at its end, a check leaves no process of', () => {
  it.each<readonly [string, string]>([
    ['a target that clears the environment of its child', 'setsid env -i SLEEP & SLEEP'],
    ['such a child, whose parent has ended', '(setsid env -i SLEEP &); exec sleep 1'],
  ])('%s', async (_, text) => {
    const { tmp, time } = place();
    const flags = ['--trace', 'off', '--timeout', 'handshake=2s'];
    const args = ['check', 'fold/agent', ...flags, '--', ...sleeping(text, time), '{address}'];
    const { code } = await wireproof(args, { env: { TMPDIR: tmp } });
    expect(code).toBe(3);
    await untilProcesses(`sleep ${time}`, (n) => n === 0);
    expect(readdirSync(tmp)).toEqual([]);
  });
});

describe('folders for temporary files', () => {
  it.runIf(process.platform === 'linux')(
    'are removed by the next start when their kit has ended, and no others',
    async () => {
      const { tmp } = place();
      // The same id, which another process has had before: it started at another time.
      const ended = ownName().replace(/-\d+-/, '-1-');
      const elsewhere = ownName().replace(/\w{6}$/, '000000');
      expect([hasEnded(ended), hasEnded(ownName()), hasEnded(elsewhere)]).toEqual([true, false, undefined]);
      const kept = ['of-others', `wireproof-${ownName()}-abcdef`, `wireproof-${elsewhere}-abcdef`];
      for (const name of [...kept, `wireproof-${ended}-abcdef`]) {
        mkdirSync(join(tmp, name));
        writeFileSync(join(tmp, name, 'file'), '');
      }
      symlinkSync(join(tmp, 'of-others'), join(tmp, `wireproof-${ended}-ghijkl`));
      await wireproof(['check', 'tokens/manager', '--trace', 'off', '--', 'true'], { env: { TMPDIR: tmp } });
      await until(
        () => !existsSync(join(tmp, `wireproof-${ended}-abcdef`)),
        () => readdirSync(tmp).join(' '),
      );
      expect(kept.filter((name) => existsSync(join(tmp, name, 'file')))).toEqual(kept);
      expect(lstatSync(join(tmp, `wireproof-${ended}-ghijkl`)).isSymbolicLink()).toBe(true);
    },
  );

  it('that cannot be made are a sentence and exit 3', async () => {
    const env = { TMPDIR: '/nonesuch' };
    const { code, stderr } = await wireproof(['check', 'fold/agent', '--', 'true', '{address}'], { env });
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/^wireproof: cannot make a scratch folder: .*set TMPDIR to a folder/),
    ]);
  });
});
