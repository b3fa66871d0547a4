import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'conformance/**/*.test.ts', 'bin/**/*.test.ts'],
    globalSetup: ['.config/vitest.setup.ts'],
    testTimeout: 60_000,
    // Most of what takes long waits: for processes, sockets and timers.
    maxWorkers: 3,
  },
});
