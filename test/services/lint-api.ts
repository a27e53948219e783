/**
 * `npm run lint:api`: puts the description of the API, as this product serves it, before Redocly and
 * Spectral. A warning of either is a failure.
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startTestProduct } from '../helpers/product.ts'

const MODULES = resolve(import.meta.dirname, '../../node_modules')
const FILES = {
  // “localhost” is the address of an installation that was not told its own.
  'redocly.yaml': 'extends: [recommended]\nrules:\n  no-server-example.com: off\n',
  '.spectral.yaml': 'extends: ["spectral:oas"]\n',
}
/** Redocly asks for newer versions and reports each run, unless it is told not to. */
const SILENT = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** Runs a linter over the description, shows what it says, and returns whether it found nothing. */
function passes(folder: string, script: string, args: string[], found: RegExp): boolean {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(MODULES, script), 'lint', 'openapi.json', ...args],
    { cwd: folder, env: { ...process.env, ...SILENT, NO_COLOR: '1' }, encoding: 'utf8' },
  )
  console.log(`${stdout}${stderr}`.trim())
  return status === 0 && !found.test(stdout + stderr)
}

const folder = await mkdtemp(join(tmpdir(), 'sohbet-lint-api-'))
try {
  const product = await startTestProduct({ dataDir: folder, databaseUrl: undefined })
  const { text } = await product.call('/api/v1/openapi.json')
  await product.stop()
  for (const [name, content] of Object.entries({ ...FILES, 'openapi.json': text })) {
    await writeFile(join(folder, name), content)
  }
  const spectral = '@stoplight/spectral-cli/dist/index.js'
  const outcomes = [
    passes(folder, '@redocly/cli/bin/cli.js', [], /warning/),
    passes(folder, spectral, ['--fail-severity=hint'], /\d+ problems?/),
  ]
  if (outcomes.includes(false)) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
