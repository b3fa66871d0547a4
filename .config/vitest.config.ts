import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'conformance/**/*.test.ts', 'bin/**/*.test.ts'],
    testTimeout: 30_000,
  },
});
