import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Tests that `.ci/run` plays, and `npm test` does not: programs in more languages and dialects, a whole new protocol. */
const thorough = ['**/*.thorough.test.ts'];

/** The thorough tests that take longest, in pairs. With WIREPROOF_DAY, a number, one pair is played: CI has 12 minutes. */
const longest = [
  ['bin/repository/readme', 'src/toon/frame/decoder-fuzz'],
  ['bin/verbs/judge-live', 'bin/check/dull'],
  ['conformance/examples/toon', 'bin/protocols/gateway-dials'],
  ['conformance/patience', 'bin/protocols/llm-server'],
  ['bin/check/killed', 'bin/protocols/llm-early-programs'],
  ['bin/check/faults', 'bin/verbs/report-page'],
  ['src/koda/laws', 'bin/verbs/report-shards'],
  ['src/sep/laws', 'conformance/examples/whole-agent'],
  ['conformance/llm/server/differential/named', 'bin/check/operator'],
  ['bin/protocols/gateway-load', 'bin/repository/new'],
  ['bin/repository/fresh-clone', 'conformance/examples/test-frameworks'],
  ['bin/check/tls', 'bin/protocols/gateway-faults'],
  ['bin/repository/action', 'bin/protocols/gateway-operators'],
  ['bin/protocols/llm-witness', 'bin/output/github'],
  ['bin/protocols/llm-programs', 'conformance/examples/sep'],
  ['bin/traces/folder', 'conformance/examples/koda'],
  ['bin/verbs/fixtures', 'bin/check/last-failed'],
  ['bin/protocols/koda', 'bin/protocols/simulate-gateway'],
  ['bin/protocols/toon', 'bin/repository/readme-tests'],
  ['bin/check/whole-agent', 'conformance/llm/server/messages'],
  ['conformance/examples/llm-gateway', 'conformance/examples/llm'],
  ['bin/verbs/baseline', 'conformance/sep/executor/live/live'],
  ['bin/check/tool-process', 'src/fold/edge/auth/ssh'],
  ['src/fold/edge/ledger/sqlite-ledger', 'conformance/agent/fold/dialects'],
  ['bin/verbs/report-hostile', 'bin/verbs/simulate-agents'],
  ['conformance/examples/koda-roles', 'conformance/examples/python'],
  ['bin/program/shell', 'bin/node-version'],
  ['bin/protocols/whole-agent', 'conformance/sdks/testees'],
  ['bin/check/absent', 'bin/verbs/watch'],
  ['bin/check/odd-data', 'bin/verbs/report-browser'],
  ['conformance/examples/llama', 'conformance/examples/tokens'],
];
const day = process.env['WIREPROOF_DAY'];
const resting = longest
  .filter((_, i) => day !== undefined && i !== Number(day) % longest.length)
  .flatMap((pair) => pair.map((file) => `${file}.thorough.test.ts`));

/** Tests that measure how long the process is held up. Nothing runs beside them. With WIREPROOF_DAY, one file is played. */
const readers = ['feeds', 'files', 'kit', 'llm', 'reports', 'sep', 'tokens', 'traces'];
const measuring = ['**/readers/*.thorough.test.ts'];
const measured =
  day === undefined ? measuring : [`**/readers/${readers[Number(day) % readers.length]}.thorough.test.ts`];

/** Tests that `npm run sdks` plays. */
const sdks = ['**/*.sdks.test.ts'];

/** Tests that `npm run gateways -- --test` plays: they install gateways, which takes minutes. */
const gateways = ['**/*.gateways.test.ts'];

/** Tests that start programs, or mostly wait for sockets and timers. */
const programs = [
  'bin/**/*.test.ts',
  'conformance/sdks/**/*.test.ts',
  'src/llm/edge/sdks/*.test.ts',
  'conformance/llm/server/{connections,live}.test.ts',
  'src/fold/edge/{command,ledger}/*.test.ts',
  'src/kit/run/*.test.ts',
];

/** Tests that compute for seconds: self-tests of the suites, random conversations, properties, many frames. */
const proofs = [
  'conformance/**/{suite,selftest,storm,sweep,honest,system}.test.ts',
  'src/**/*{laws,fuzz}.test.ts',
  'src/examples.test.ts',
];

/** Files that take long begin first, so that no worker is left alone with one of them at the end. */
const long = [
  /\/suite\.test\.ts$/,
  /selftest\.test\.ts$|^bin\/(check\/|protocols\/gateway|repository\/(new|readme))|^conformance\/examples\/(toon|llm)|sdks\/scripts/,
  /(laws|storm|sweep|fuzz)\.test\.ts$|^bin\/|ledger/,
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = long.findIndex((pattern) => pattern.test(moduleId.slice(this.ctx.config.root.length + 1)));
      return at < 0 ? long.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** No file changes the state of another. So a worker loads each module once. */
const shared = { isolate: false, execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=64'] };
const computing = { ...shared, maxWorkers: 2, testTimeout: 120_000, sequence: { groupOrder: 0 } };
const running = {
  ...shared,
  // They run what was built.
  globalSetup: ['.config/vitest.setup.ts'],
  setupFiles: ['.config/vitest.after-file.ts'],
  testTimeout: 180_000,
  hookTimeout: 60_000,
  // Most of them wait, for processes, sockets and timers: not beside tests that keep the processors busy.
  maxWorkers: 5,
  sequence: { groupOrder: 1 },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    // The projects, and later runs, take the modules that one of them has transformed.
    experimental: { fsModuleCache: true },
    projects: [
      { test: { ...computing, name: 'proofs', include: proofs } },
      // Both in one, for npm test: its workers load each module once.
      {
        test: {
          ...computing,
          name: 'computing',
          include: ['src/**/*.test.ts', 'conformance/**/*.test.ts'],
          exclude: [...programs, ...thorough, ...sdks, ...gateways],
        },
      },
      {
        test: {
          ...computing,
          name: 'units',
          include: ['src/**/*.test.ts', 'conformance/**/*.test.ts'],
          exclude: [...programs, ...proofs, ...thorough, ...sdks, ...gateways],
        },
      },
      {
        test: { ...running, name: 'programs', include: programs, exclude: [...thorough, 'node_modules/**'] },
      },
      {
        test: {
          ...running,
          name: 'thorough',
          include: thorough,
          exclude: [...resting, ...measuring, 'node_modules/**', 'dist/**'],
        },
      },
      { test: { ...running, name: 'sdks', include: sdks } },
      {
        test: { ...running, name: 'gateways', include: gateways, maxWorkers: 1, testTimeout: 1_200_000 },
      },
      {
        test: {
          ...shared,
          name: 'readers',
          include: measured,
          maxWorkers: 1,
          testTimeout: 120_000,
          // Another program may take the processor in all three tries of a test.
          retry: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
