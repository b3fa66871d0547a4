/** `wireproof judge` of a kept trace says of each requirement what the check said that recorded it. */
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { scenarios, simulatedGateway, verdictsOf } from '../protocols/gateway.test-helper.ts';
import { example, faulty, lateTextFault, longTimeouts, scratch, wireproof } from '../run.test-helper.ts';

const terminal = 'if (terminal) this.send(terminal);';
const agents: { readonly [name: string]: () => string } = {
  'the example': () => example,
  'an agent that ends nothing': () => faulty('endless', terminal, ''),
  'an agent that goes on after the end': () => lateTextFault('late-live'),
};

let recordings = 0;

/** The verdicts of a check of one scenario, and of its trace. */
async function both(suite: string, scenario: string, target: readonly string[], flags: readonly string[]) {
  const folder = join(scratch, `recording-${++recordings}`);
  mkdirSync(folder, { recursive: true });
  const traces = join(folder, 'traces');
  const checking = await wireproof([
    ...['check', suite, ...longTimeouts, ...flags, ...scenarios(scenario)],
    ...['--json', '--trace', 'all', '--trace-dir', traces, '--', ...target],
  ]);
  const files = readdirSync(traces, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  expect(files, checking.stderr).toHaveLength(1);
  const judged = join(folder, 'judged.json');
  await wireproof(['judge', join(traces, files[0] ?? ''), '--report', `json=${judged}`]);
  const live = JSON.parse(checking.stdout) as Report;
  const again = JSON.parse(readFileSync(judged, 'utf8')) as Report;
  return {
    live: verdictsOf(live),
    again: verdictsOf(again),
    drives: [live.drive, again.drive],
  };
}

const short = ['--drive', 'directive', '--timeout', 'answer=6s', '--timeout', 'step=6s'];

describe('the trace of an agent', () => {
  it.each(
    Object.keys(agents).flatMap((name) =>
      ['plain-message', 'tool-success', 'cancel-mid-tool', 'thinking-and-text'].map((scenario) => [
        name,
        scenario,
      ]),
    ),
  )('%s in %s', async (name, scenario) => {
    const { live, again, drives } = await both(
      'fold/agent',
      scenario,
      [process.execPath, agents[name]?.() ?? '', '{address}'],
      short,
    );
    expect(again).toEqual(live);
    expect(drives[1]).toBe(drives[0]);
    expect(Object.values(live).includes('fail')).toBe(name !== 'the example');
  });
});

describe('the trace of a gateway', () => {
  it.each([
    ['gateway-all-events', []],
    ['gateway-cancel', []],
    ['gateway-pack-bad-calls', []],
    ['gateway-usage', []],
    ['gateway-inject', ['--operator', 'client-service']],
    ['gateway-usage', ['--operator', 'client-service']],
    ['gateway-burst', ['--operator', 'client-service']],
    ['gateway-registers', ['--operator', 'none']],
  ])('in %s with %j', async (scenario, flags) => {
    const { live, again, drives } = await both('fold/gateway', scenario, simulatedGateway, flags);
    expect(again).toEqual(live);
    expect(drives[1]).toBe(drives[0]);
  });
});
