// Three projects: unit tests beside the code, end-to-end tests of whole commands, tests against peers (Python, Java).
import { defineConfig } from 'vitest/config';

const slow = { testTimeout: 240_000, hookTimeout: 240_000 };

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'], ...slow } },
      { test: { name: 'e2e', include: ['tests/*.test.ts'], globalSetup: ['tests/build-once.ts'], ...slow } },
      {
        test: {
          name: 'peers',
          include: ['tests/peers/**/*.test.ts'],
          globalSetup: ['tests/build-once.ts', 'tests/peers/python.ts'],
          testTimeout: 900_000,
          hookTimeout: 900_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
