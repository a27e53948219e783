import { defineConfig } from 'vitest/config'
import { ProcessesFirst } from './test/services/processes-first.ts'

/** Files with servers and databases wait for them half of the time; the others fill the gaps. */
const maxWorkers = 4
/** Modules keep no state from one file for the next, and take long to import. */
const isolate = false
/**
 * Node imports the product and the tests, as it does for `npm start`: Vite transforms nothing, and the
 * compile cache serves every worker. Not for unit tests, some of which import the widget's JSX.
 */
const experimental = { viteModuleRunner: false, nodeLoader: false }
// Generous, because a busy machine is not a defect.
const testTimeout = 120_000
const expect = { poll: { timeout: 40_000 } }

export default defineConfig({
  test: {
    sequence: { sequencer: ProcessesFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.{ts,tsx}', 'test/quality/**/*.test.ts'],
          maxWorkers,
          isolate,
          testTimeout,
          hookTimeout: testTimeout,
          expect,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          globalSetup: ['test/services/migrated.ts'],
          experimental,
          maxWorkers,
          isolate,
          testTimeout,
          hookTimeout: testTimeout,
          expect,
        },
      },
      {
        test: {
          name: 'interop',
          include: ['test/interop/**/*.test.ts'],
          globalSetup: ['test/services/migrated.ts'],
          // Each file installs packages and builds with them.
          maxWorkers: 1,
          isolate,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          // One at a time: each has the machine for itself, and kills what it started.
          maxWorkers: 1,
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
