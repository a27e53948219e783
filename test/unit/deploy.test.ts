import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { isSetting } from '../../server/config.ts'

const ROOT = join(import.meta.dirname, '../..')
const DEPLOY = join(ROOT, 'deploy')
const METRICS = readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8')
const RUNBOOK = readFileSync(join(ROOT, 'docs/operate.md'), 'utf8')
/** Names of the images and tools beside the product. */
const NOT_OURS = /^(?:POSTGRES_|VALKEY_|NGINX_|HTTP_PORT$|HTTP_ADDRESS$|FRONT_PROXY$)/

const read = (file: string) => readFileSync(join(DEPLOY, file), 'utf8')
const files = globSync('**/*', { cwd: DEPLOY }).filter((file) => basename(file).includes('.'))
const documentsOf = (file: string): unknown[] =>
  parseAllDocuments(read(file)).map((document) => {
    expect([file, document.errors]).toEqual([file, []])
    return document.toJS()
  })

const Service = z.looseObject({ image: z.string(), healthcheck: z.unknown().optional() })
const Network = z.object({ ipam: z.object({ config: z.array(z.record(z.string(), z.string())) }) })
const Compose = z.looseObject({
  services: z.record(z.string(), Service),
  networks: z.object({ default: Network }),
})
const Alert = z.object({
  alert: z.string(),
  expr: z.string(),
  for: z.string(),
  labels: z.object({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.object({ summary: z.string(), runbook: z.string() }),
})
const Rules = z.object({ groups: z.array(z.object({ name: z.string(), rules: z.array(Alert) })) })
const Dashboard = z.object({
  panels: z.array(
    z.looseObject({ targets: z.array(z.looseObject({ expr: z.string() })).default([]) }),
  ),
})

test('every YAML file of the deployment can be parsed', () => {
  const kinds = files
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => documentsOf(file).map((document) => [file, typeof document]))
  expect(kinds.length).toBeGreaterThan(6)
  expect(kinds).toEqual(kinds.map(([file]) => [file, 'object']))
})

test('compose runs two processes that cannot write their own files', () => {
  const { services, networks } = Compose.parse(documentsOf('compose.yaml')[0])
  expect(Object.keys(services)).toEqual(['app1', 'app2', 'nginx', 'postgres', 'valkey'])
  for (const name of ['app1', 'app2']) {
    expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
  }
  for (const name of ['nginx', 'postgres', 'valkey']) {
    expect([name, services[name]?.healthcheck]).not.toEqual([name, undefined])
  }
  // What reaches nginx from this machine comes from the gateway.
  const gateway = networks.default.ipam.config[0]?.gateway
  expect(services.nginx).toMatchObject({
    environment: { FRONT_PROXY: `\${FRONT_PROXY:-${gateway}}` },
    ports: ['${HTTP_ADDRESS:-127.0.0.1}:${HTTP_PORT:-8080}:80'],
  })
})

test('each setting that a file of the deployment names exists', () => {
  const found = files.flatMap((file) => {
    const names = read(file).matchAll(/^[ ]*(?:ENV |Environment=)?([A-Z][A-Z_]{3,})(?:: |=)/gm)
    return [...names].map(([, name = '']) => `${file}: ${name}`)
  })
  expect(found.length).toBeGreaterThan(10)
  const unknown = found.filter((line) => {
    const name = line.split(': ')[1] ?? ''
    return !isSetting(name) && !NOT_OURS.test(name)
  })
  expect(unknown).toEqual([])
})

test('each alert and each panel asks for metrics that exist, and each alert is in the runbook', () => {
  const [rules] = documentsOf('prometheus/sohbet-alerts.yaml')
  const alerts = Rules.parse(rules).groups.flatMap((group) => group.rules)
  expect(alerts.length).toBeGreaterThan(20)
  const { panels } = Dashboard.parse(JSON.parse(read('grafana/sohbet.json')))
  const queries = [
    ...alerts.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
  const names = queries.flatMap((query) =>
    [...query.matchAll(/\b(?:sohbet|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name),
  )
  expect(names.length).toBeGreaterThan(50)
  const unknown = names.filter((name) => {
    const family = name.replace(/_(?:bucket|count|sum)$/, '')
    return !METRICS.includes(`\`${name}\``) && !METRICS.includes(`\`${family}\``)
  })
  expect(unknown).toEqual([])
  expect(alerts.filter(({ alert }) => !RUNBOOK.includes(`### ${alert}\n`))).toEqual([])
})
