import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { defect, fine, warning } from './findings.ts'
import type { Finding } from './schema.ts'

const PACKAGE_FILE = join(import.meta.dirname, '../../package.json')
const Package = z.object({ version: z.string(), dependencies: z.object({ node: z.string() }) })

/** Names misspelt settings: the product runs without what they were meant to set. */
export function examineSettings({ misspelt, isProduction }: Config): Finding[] {
  if (misspelt.length === 0) {
    const mode = isProduction ? 'NODE_ENV is production.' : 'NODE_ENV is not production.'
    return [fine('settings', `Every setting can be read. ${mode}`)]
  }
  return misspelt.map(({ name, meant }) =>
    warning('settings', `${name} is not the name of a setting.`, `Was ${meant} meant? Rename it.`),
  )
}

/** Wrong settings, which a process refuses to start with. */
export function settingsDefects(problems: readonly string[]): Finding[] {
  return problems.map((problem) =>
    defect('settings', `${problem}.`, 'Correct it: docs/settings.md has every setting.'),
  )
}

export function examineSecrets({ shortSecrets, secretKeyPrevious, ...config }: Config): Finding[] {
  if (shortSecrets.length > 0) {
    const names = shortSecrets.join(', ')
    const remedy = 'Choose at least 16 random characters, such as by: openssl rand -base64 32'
    return [warning('secrets', `Too short to be safe: ${names}.`, remedy)]
  }
  const former = [
    ...(secretKeyPrevious === undefined ? [] : ['SECRET_KEY_PREVIOUS']),
    ...(config.operatorTokenPrevious === undefined ? [] : ['OPERATOR_TOKEN_PREVIOUS']),
  ]
  if (former.length === 0) return [fine('secrets', 'Keys and tokens are long enough.')]
  const remedy = 'Remove it when the rotation is over: docs/operate.md says when.'
  return [warning('secrets', `A former secret is still valid: ${former.join(', ')}.`, remedy)]
}

export function examineVersions(): Finding[] {
  const { version, dependencies } = Package.parse(JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')))
  const detail = `Sohbet ${version} on Node ${process.version}.`
  const isOlder = majorOf(process.version) < majorOf(dependencies.node)
  const remedy = `Start by npm or npx, which bring Node ${dependencies.node}.`
  return [isOlder ? warning('versions', detail, remedy) : fine('versions', detail)]
}

function majorOf(version: string): number {
  return Number.parseInt(version.replace('v', ''), 10)
}

export function examineTargets({ allowPrivateTargets }: Config): Finding[] {
  if (!allowPrivateTargets) {
    return [fine('webhook_targets', 'Only public addresses can be reached.')]
  }
  const detail = 'Customers can reach private addresses by webhooks, pages and actions.'
  const remedy = 'Remove ALLOW_PRIVATE_TARGETS; ALLOWED_TARGET_CIDRS opens single networks.'
  return [warning('webhook_targets', detail, remedy)]
}
