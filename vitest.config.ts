import { defineConfig } from 'vitest/config'
import { ProcessesFirst } from './test/services/processes-first.ts'

export default defineConfig({
  test: {
    sequence: { sequencer: ProcessesFirst },
    // What is imported keeps nothing of one file for the next, and takes long to import: no project
    // isolates its files.
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.{ts,tsx}', 'test/quality/**/*.test.ts'],
          isolate: false,
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
          maxWorkers: 4,
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
