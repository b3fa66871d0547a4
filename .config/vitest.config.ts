import { defineConfig } from 'vitest/config';

const testTimeout = 60_000;

export default defineConfig({
  test: {
    globalSetup: ['.config/vitest.setup.ts'],
    projects: [
      {
        test: {
          name: 'units',
          include: ['src/**/*.test.ts', 'conformance/**/*.test.ts'],
          exclude: ['conformance/{examples,sdks}/**', 'src/llm/edge/sdks/**'],
          testTimeout,
          // None changes what another sees: to load the modules once a worker saves most of the time.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'programs',
          include: [
            'bin/**/*.test.ts',
            'conformance/{examples,sdks}/**/*.test.ts',
            'src/llm/edge/sdks/*.test.ts',
          ],
          testTimeout,
          // Most of what takes long waits, for processes, sockets and timers: and not beside what keeps the processors busy.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
