import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Files that take long begin first, so that no worker is left with one of them at the end. */
const long = [
  /selftest\.test\.ts$/,
  /^bin\/(check|gateway|toon)|conformance\/examples\/(toon|llm)|sdks\/scripts/,
  /laws\.test\.ts$|storm|sweep|fuzz/,
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = long.findIndex((pattern) => pattern.test(moduleId.slice(this.ctx.config.root.length + 1)));
      return at < 0 ? long.length : at;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Tests that start programs, or mostly wait for sockets and timers. */
const programs = [
  'bin/**/*.test.ts',
  'conformance/{examples,sdks}/**/*.test.ts',
  'src/llm/edge/sdks/*.test.ts',
  'src/fold/edge/{command,ledger}/*.test.ts',
  'src/kit/run/*.test.ts',
];

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'units',
          include: ['src/**/*.test.ts', 'conformance/**/*.test.ts'],
          exclude: programs,
          testTimeout: 120_000,
          // None changes what another sees: to load the modules once a worker saves most of the time.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'programs',
          include: programs,
          // They run what was built.
          globalSetup: ['.config/vitest.setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 60_000,
          // Most of what takes long waits, for processes, sockets and timers: and not beside what keeps the processors busy.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
