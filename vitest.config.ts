import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.{ts,tsx}', 'test/quality/**/*.test.ts'],
          // A busy machine is not a defect.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          globalSetup: ['test/services/migrated.ts'],
          // Each file starts servers and databases, and waits for them half of the time.
          maxWorkers: 3,
          // What is imported keeps nothing of one file for the next, and takes long to import.
          isolate: false,
          sequence: { groupOrder: 1 },
          // Generous, because a busy machine is not a defect.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
