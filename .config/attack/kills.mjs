// Kills the kit with -9 at any moment, with targets that make it hard: no process stays, and after the next start no folder.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cycles } from './crash.mjs';
import { run, start } from './kit.mjs';

const node = process.execPath;
const wireproof = resolve('dist/bin/wireproof.cjs');
const example = (name) => resolve('conformance/examples', name);

/** Scripts of targets. SLEEP stands for a long sleep whose command line no other process has. */
const scripts = {
  deaf: "trap '' HUP INT TERM; SLEEP & SLEEP",
  closed: 'exec <&- >&- 2>&-; SLEEP & SLEEP',
  bare: 'setsid env -i SLEEP & SLEEP',
  forked: `(setsid env -i SLEEP &); exec ${node} ${example('fold-agent.mjs')} "$1"`,
};

/** The arguments of the command by the kind of a cycle. `script`: the path of one of the scripts. */
const kinds = {
  agent: () => ['check', 'fold/agent', '--', node, example('fold-agent.mjs')],
  whole: () => ['check', 'fold/agent', '--drive', 'llm', '--', node, example('whole-agent.mjs')],
  engine: () => [
    'check',
    'koda/engine',
    '--',
    node,
    wireproof,
    'simulate',
    'koda/engine',
    '--carrier',
    'stdio',
    '--quiet',
  ],
  forked: (script) => ['check', 'fold/agent', '--', 'sh', script('forked'), '{address}'],
  deaf: (script) => ['check', 'fold/agent', '--', 'sh', script('deaf'), '{address}'],
  closed: (script) => ['check', 'fold/agent', '--', 'sh', script('closed'), '{address}'],
  command: (script) => ['simulate', 'llm', '--listen', '127.0.0.1:0', '--', 'sh', script('bare')],
  operator: (script) => {
    const statement = script('deaf').replace(/sh$/, 'yaml');
    const commands = `operator:\n  driver: command\n  commands:\n    send: [sh, ${script('deaf')}]\n`;
    writeFileSync(statement, `suite: fold/gateway\n${commands}`);
    const gateway = ['simulate', 'fold/gateway', '--listen', '{listen}', '--http', 'off'];
    return ['check', 'fold/gateway', '--statement', statement, '--', node, wireproof, ...gateway];
  },
};

/** Kills a kit at any moment. @returns the fault; undefined: nothing is left */
async function kill(folder, i) {
  const names = Object.keys(kinds);
  const kind = names[i % names.length];
  const place = join(folder, String(i));
  const tmp = join(place, 'tmp');
  mkdirSync(tmp, { recursive: true });
  const time = `sleep 7${process.pid}.${i}`;
  const script = (name) => {
    const path = join(place, `${name}.sh`);
    writeFileSync(path, scripts[name].replaceAll('SLEEP', time));
    return path;
  };
  const env = { TMPDIR: tmp };
  const kit = start(kinds[kind](script), { cwd: place, env });
  await sleep(Math.random() * 3000);
  kit.child.kill('SIGKILL');
  const { orphans } = await kit.ended;
  const bare = sleepers(time);
  for (const pid of bare) process.kill(pid, 'SIGKILL');
  if (orphans + bare.length > 0) return `${kind}: ${orphans + bare.length} processes left`;
  if (readdirSync(tmp).length > 0) {
    await run(['check', 'tokens/manager', '--trace', 'off', '--', 'true'], { cwd: place, env });
    await sleep(500);
  }
  const left = readdirSync(tmp);
  return left.length > 0 ? `${kind}: ${left.length} folders left` : undefined;
}

/** The processes with this command line: those without an environment have no mark. */
function sleepers(time) {
  const words = `${time.replace(' ', '\0')}\0`;
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1') === words;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** A kit whose folder was left by a kit and a guard that were both killed. @returns the fault */
async function killBoth(folder, i) {
  const tmp = mkdtempSync(join(folder, `${i}-`));
  const env = { TMPDIR: tmp };
  const agent = example('fold-agent.mjs');
  const kit = start(['check', 'fold/agent', '--trace', 'off', '--', node, agent], { cwd: tmp, env });
  await sleep(1500 + Math.random() * 1000);
  for (const pid of kit.guards()) process.kill(pid, 'SIGKILL');
  kit.child.kill('SIGKILL');
  await sleep(100);
  await run(['check', 'tokens/manager', '--trace', 'off', '--', 'true'], { cwd: tmp, env });
  const { orphans } = await kit.ended;
  if (orphans > 0) return `${orphans} processes left`;
  const left = readdirSync(tmp).filter((name) => name.startsWith('wireproof-'));
  return left.length > 0 ? `${left.length} folders left` : undefined;
}

export const kills = [
  cycles('kill -9 of the kit, hard targets', 100, kill),
  cycles('kill -9 of the kit and its guard', 8, killBoth),
];
