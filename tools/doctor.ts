import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { type Config, SettingsError, isSetting, readConfig } from '../server/config.ts'
import { examine } from '../server/doctor/examine.ts'
import { diagnose, warning } from '../server/doctor/findings.ts'
import type { Diagnosis, Finding } from '../server/doctor/schema.ts'
import { examineVersions, settingsDefects } from '../server/doctor/settings.ts'

const ENV_FILE = '.env'
/** Settings of Node and of this machine that a `.env` file may hold too. */
const NOT_OURS = /^(?:NODE_|npm_|PG[A-Z]+$|TZ$|LANG$|LC_|PATH$|HOME$|UV_|SSL_|https?_proxy$)/i
const STATE_WIDTH = 8
const NAME_WIDTH = 16

/**
 * Examines the installation of this folder, also while it runs. Returns what to print, and sets the
 * exit code: 1 where something keeps the product, or a part of it, from working.
 */
export async function examineInstallation(isJson: boolean): Promise<string> {
  const strangers = existsSync(ENV_FILE) ? strangersOf(readFileSync(ENV_FILE, 'utf8')) : []
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE)
  const { findings } = await examineSettled()
  // A name that resembles a setting is found by the settings themselves.
  const told = new Set(findings.map(({ detail }) => detail.split(' ')[0]))
  const diagnosis = diagnose([
    ...strangers.filter((name) => !told.has(name) && !told.has(`${name}:`)).map(strange),
    ...findings,
  ])
  if (diagnosis.state === 'error') process.exitCode = 1
  return isJson ? JSON.stringify(diagnosis, undefined, 2) : render(diagnosis)
}

async function examineSettled(): Promise<Diagnosis> {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return diagnose([...settingsDefects(error.problems), ...examineVersions()])
  }
  return examine(config)
}

function strangersOf(file: string): string[] {
  return Object.keys(parseEnv(file)).filter((name) => !isSetting(name) && !NOT_OURS.test(name))
}

function strange(name: string): Finding {
  const remedy = 'Look it up in docs/settings.md, or remove the line.'
  return warning('settings', `${name} in ${ENV_FILE} is not the name of a setting.`, remedy)
}

function render({ state, findings }: Diagnosis): string {
  const indent = ' '.repeat(STATE_WIDTH + NAME_WIDTH + 2)
  const lines = findings.flatMap((finding) => [
    `${finding.state.padEnd(STATE_WIDTH)} ${finding.name.padEnd(NAME_WIDTH)} ${finding.detail}`,
    ...(finding.remedy === null ? [] : [`${indent}→ ${finding.remedy}`]),
  ])
  const end = {
    ok: 'All is well.',
    warning: 'It works; look at the warnings.',
    error: 'Something does not work: see the errors.',
  }[state]
  return [...lines, '', end].join('\n')
}
