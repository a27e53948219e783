import { defineConfig } from '@playwright/test'

const { TEST_CHROMIUM, TEST_RESULTS } = process.env
/** No sandbox, because tests may run as root; no traffic of the browser's own. */
const FLAGS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync ' +
  '--disable-background-networking --disable-component-update'

export default defineConfig({
  testDir: 'test/browser',
  testMatch: '**/*.test.ts',
  outputDir: TEST_RESULTS ?? 'test-results',
  forbidOnly: process.env.CI !== undefined,
  // One browser at a time, and no second try: what fails once has failed.
  workers: 1,
  retries: 0,
  // Generous, because a busy machine is not a defect.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json']],
  use: {
    screenshot: 'only-on-failure',
    trace: 'off',
    video: 'off',
    launchOptions: {
      args: FLAGS.split(' '),
      ...(TEST_CHROMIUM === undefined ? {} : { executablePath: TEST_CHROMIUM }),
    },
  },
})
