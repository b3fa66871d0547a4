/** Checks a server on a real port. */
import type { Report } from '../../../src/kit/base/index.ts';
import { check } from '../../../src/kit/run/index.ts';
import type { CheckOptions } from '../../../src/kit/run/index.ts';
import type { TargetPlan } from '../../../src/kit/suite/index.ts';
import { readRequirements } from '../../../src/kit/spec/index.ts';
import { llmServerSuite } from './suite.ts';

const { requirements, revision } = readRequirements('llm');
const rows = requirements.filter(({ roles }) => roles.includes('server'));

const target = (port: number): TargetPlan => ({ kind: 'connect', host: '127.0.0.1', port });

/** Checks a server on a port of this machine. */
export async function checkedServer(
  port: number,
  drive: string,
  more: Partial<CheckOptions> = {},
): Promise<Report> {
  const { report } = await check({
    kit: 'test',
    suite: llmServerSuite,
    revision,
    requirements: rows,
    scenarios: llmServerSuite.scenarios?.() ?? [],
    target: target(port),
    targetName: 'a server',
    drive,
    statement: undefined,
    // As without a witness: its scenario takes seconds.
    stated: [],
    expected: [],
    methods: [],
    timeouts: { ...llmServerSuite.timeouts, step: 5000 },
    timeoutScale: 1,
    jobs: 4,
    seed: '1',
    strict: true,
    failFast: false,
    redact: undefined,
    maxReceive: 1 << 22,
    today: '2026-01-01',
    untestable: {},
    signal: new AbortController().signal,
    replay: () => '',
    progress: () => {},
    listening: () => {},
    ...more,
  });
  return report;
}
