/**
 * `npm run lint:api`: lints the description of the API, as this product serves it, with Redocly and
 * Spectral. A warning of either is a failure. Both are installed on demand: they bring 240 packages,
 * which nobody needs who runs the product.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestProduct } from '../helpers/product.ts'

const HERE = import.meta.dirname
const CACHE = join(HERE, '../../node_modules/.cache/api-linters')
const MODULES = join(CACHE, 'node_modules')
const FILES = {
  // “localhost” is the address of an installation that was not told its own.
  'redocly.yaml': 'extends: [recommended]\nrules:\n  no-server-example.com: off\n',
  '.spectral.yaml': 'extends: ["spectral:oas"]\n',
}
/** Redocly asks for newer versions and reports each run, unless it is told not to. */
const SILENT = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

async function installLinters(): Promise<void> {
  if (existsSync(MODULES)) return
  for (const file of ['package.json', 'package-lock.json']) {
    await cp(join(HERE, file), join(CACHE, file))
  }
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: CACHE,
    stdio: 'inherit',
  })
}

/** Runs a linter over the description, shows what it says, and returns whether it found nothing. */
function passes(folder: string, script: string, args: string[], found: RegExp): boolean {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(MODULES, script), 'lint', 'openapi.json', ...args],
    { cwd: folder, env: { ...process.env, ...SILENT, NO_COLOR: '1' }, encoding: 'utf8' },
  )
  process.stdout.write(`${stdout}${stderr}`)
  return status === 0 && !found.test(stdout + stderr)
}

await installLinters()
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
