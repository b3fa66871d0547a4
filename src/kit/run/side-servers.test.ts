/** A target that listens and dials at once: the kit is its user, and the two models that it asks. */
import { expect, it } from 'vitest';
import { selftest } from '../suite/selftest.ts';
import type { TargetPlan } from '../suite/target-plan.ts';
import { awaitPort, reservePort, startProcess } from '../transport/index.ts';
import { check } from './check.ts';
import type { Checked } from './check-options.ts';
import { SideServers } from './side-servers.ts';
import { relayProgram, relayRows, relayScenario, relaySuite } from './relay.test-helper.ts';

const scenarios = [relayScenario('red', 'blue'), relayScenario('one', 'two'), relayScenario('up', 'down')];

const run = (target: TargetPlan, jobs: number): Promise<Checked> =>
  check({
    kit: '0',
    suite: relaySuite,
    revision: '1',
    requirements: relayRows,
    scenarios,
    target,
    targetName: 'relay',
    drive: 'auto',
    statement: undefined,
    stated: undefined,
    expected: [],
    methods: [],
    timeouts: relaySuite.timeouts,
    timeoutScale: 1,
    jobs,
    seed: '1',
    strict: false,
    failFast: false,
    redact: undefined,
    maxReceive: 1 << 20,
    today: '2026-01-01',
    untestable: {},
    signal: new AbortController().signal,
    replay: () => '',
    progress: () => {},
    listening: () => {},
  });

/** The program with its arguments. */
const relay = (...args: readonly string[]): readonly string[] => [
  process.execPath,
  '-e',
  relayProgram,
  ...args,
];

const program = (...args: readonly string[]): TargetPlan => ({
  kind: 'command',
  command: relay('{port}', ...args),
  env: {},
});

const green = { verdict: 'conformant', requirements: [{ verdict: 'pass', exercised: scenarios.length }] };

it.each([1, 3])('a program that the kit starts gets the URLs of both models, %i at a time', async (jobs) => {
  const { report, traces } = await run(program('{llm_url}', '{llm_url_2}'), jobs);
  expect(report).toMatchObject(green);
  // One trace has all wires, and tells the servers apart.
  for (const { events } of traces) {
    const asked = events.filter(({ kind, data }) => kind === 'message' && data['prompt'] !== undefined);
    expect(asked.map(({ to, conn }) => [to, conn.replace(/\d+$/, '')]).toSorted()).toEqual([
      ['first', 'hc'],
      ['second', 'h2c'],
    ]);
  }
});

it('a program that takes one model for the other fails', async () => {
  const { report } = await run(program('{llm_url_2}', '{llm_url}'), 2);
  expect(report.verdict).toBe('not-conformant');
  expect(report.requirements[0]?.message).toMatch(/^expected (\w+) (\w+); came (?!\1)\w+ \w+$/);
});

it('their URLs are in the environment, too', async () => {
  const env = 'process.argv.push(process.env.FIRST_BASE,process.env.WIREPROOF_LLM_URL_2);';
  const target: TargetPlan = {
    kind: 'command',
    command: [process.execPath, '-e', env + relayProgram, '{port}'],
    env: {},
  };
  expect((await run(target, 1)).report).toMatchObject(green);
});

/** Free ports of loopback. */
async function freePorts(count: number): Promise<readonly number[]> {
  const reserved = await Promise.all(Array.from({ length: count }, reservePort));
  for (const one of reserved) one.release();
  return reserved.map(({ port }) => port);
}

it('a program that runs already finds the models at stated places, for one scenario at a time', async () => {
  const host = '127.0.0.1';
  const [port = 0, first = 0, second = 0] = await freePorts(3);
  const command = relay(String(port), `http://${host}:${first}`, `http://${host}:${second}`);
  const started = await startProcess({ command, env: {}, onExit: () => {} });
  await awaitPort({ host, port }, 10_000, () => started.ending() !== undefined);
  const url = `http://${host}:${port}`;
  const sideServers = { llm_url: { host, port: first }, llm_url_2: { host, port: second } };
  const { report } = await run({ kind: 'connect', host, port, url, sideServers }, 3);
  await started.stop();
  expect(report).toMatchObject(green);
});

it('without a stated place, nothing begins', async () => {
  const places = { llm_url: { host: '127.0.0.1', port: 0 } };
  const target: TargetPlan = { kind: 'connect', host: '127.0.0.1', port: 1, sideServers: places };
  await expect(run(target, 1)).rejects.toMatchObject({
    code: 'usage',
    message:
      'the kit did not start the target, which asks a server of the kit: give --serve llm_url_2=host:port, or serve beside connect in the statement',
  });
});

it('a server that only some targets ask is there for those that claim to', async () => {
  const [first, second] = relaySuite.sideServers ?? [];
  if (first === undefined || second === undefined) throw new Error('the suite has two servers');
  const suite = { ...relaySuite, sideServers: [first, { ...second, feature: 'second' }] };
  const places = async (stated: readonly string[] | undefined): Promise<readonly string[]> => {
    const target: TargetPlan = { kind: 'command', command: ['none'], env: {} };
    const servers = new SideServers({ suite, target, maxReceive: 1000, stated });
    await servers.open();
    const names = Object.keys(servers.places);
    await servers.close();
    return names;
  };
  expect(await places([])).toEqual(['llm_url']);
  expect(await places(['second'])).toEqual(['llm_url', 'llm_url_2']);
  expect(await places(undefined)).toEqual(['llm_url', 'llm_url_2']);
});

it('the same suite proves itself in the simulated world', () => {
  const { failures, mutants } = selftest(relaySuite, { requirements: relayRows, scenarios, seed: '1' });
  expect(failures).toEqual([]);
  expect(mutants).toMatchObject([{ killed: true }]);
});
