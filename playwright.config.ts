import { defineConfig } from '@playwright/test'

const { TEST_CHROMIUM, TEST_HEADLESS_SHELL, TEST_RESULTS } = process.env
/** The shell has no window, and takes less of the processor. */
const BROWSER = TEST_HEADLESS_SHELL || TEST_CHROMIUM
/** No sandbox, because tests may run as root; no traffic of the browser's own. */
const FLAGS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync ' +
  '--disable-background-networking --disable-component-update'

export default defineConfig({
  testDir: 'test/browser',
  testMatch: '**/*.test.ts',
  outputDir: TEST_RESULTS ?? 'test-results',
  forbidOnly: process.env.CI !== undefined,
  // Each worker has a browser and a product of its own, so tests share nothing across workers.
  workers: 2,
  fullyParallel: true,
  // No second try: what fails once has failed.
  retries: 0,
  // Generous, because a busy machine is not a defect.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json']],
  use: {
    screenshot: 'only-on-failure',
    trace: 'off',
    video: 'off',
    launchOptions: {
      args: FLAGS.split(' '),
      ...(BROWSER === undefined ? {} : { executablePath: BROWSER }),
    },
  },
})
