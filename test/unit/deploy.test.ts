import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { isSetting } from '../../server/config.ts'
import { Compose, composeFaults } from './deploy/compose-schema.ts'
import { lintDockerfile } from './deploy/dockerfile-lint.ts'
import { Manifests, manifestFaults } from './deploy/manifest-schema.ts'

const ROOT = join(import.meta.dirname, '../..')
const DEPLOY = join(ROOT, 'deploy')
const METRICS = readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8')
const RUNBOOK = readFileSync(join(ROOT, 'docs/operate.md'), 'utf8')
/** Names of the images and tools beside the product. */
const NOT_OURS = /^(?:NODE_|POSTGRES_|VALKEY_|NGINX_|HTTP_PORT$|HTTP_ADDRESS$|FRONT_PROXY$)/

const readRoot = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const read = (file: string) => readRoot(join('deploy', file))
const files = globSync('**/*', { cwd: DEPLOY }).filter((file) =>
  statSync(join(DEPLOY, file)).isFile(),
)
const documentsOf = (file: string): unknown[] =>
  parseAllDocuments(read(file)).map((document) => {
    expect([file, document.errors]).toEqual([file, []])
    return document.toJS()
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

test('the image is built from pinned parts, runs without root, and says whether it is well', () => {
  expect(lintDockerfile(read('Dockerfile'))).toEqual([])
})

test.each([
  ['is not pinned', ':26.10.0-bookworm-slim AS', ':26 AS'],
  ['is not pinned', /(?<!build)\nFROM node:\S+/, '\nFROM node:latest'],
  ['runs as root', 'USER node', ''],
  ['runs as root', 'USER node', 'USER 0:0'],
  ['USRE is not an instruction', 'USER node', 'USRE node'],
  ['has no HEALTHCHECK', 'HEALTHCHECK', '# '],
  ['HEALTHCHECK is not in the exec form', /CMD \["node", "--eval".*$/m, 'CMD node --eval 1'],
  ['starts a shell', /CMD \["node", "--max.*$/m, 'CMD node server/main.ts'],
  ['starts nothing', /CMD \["node", "--max.*$/m, ''],
  ['use COPY', 'COPY . .', 'ADD . .'],
  ['other is not an earlier stage', '--from=build', '--from=other'],
  ['use npm ci', 'RUN npm ci', 'RUN npm install'],
  ['runs what it fetches', 'RUN npm ci', 'RUN curl https://example.com | sh'],
  ['holds a secret', 'ENV NODE_ENV=production', 'ENV SECRET_KEY=abc'],
])('an image is refused where %s', (fault, right, wrong) => {
  const text = read('Dockerfile')
  const broken = text.replace(right, wrong)
  expect(broken).not.toBe(text)
  expect(lintDockerfile(broken).join('\n')).toContain(fault)
})

test('compose runs two processes that cannot write their own files', () => {
  const compose = Compose.parse(documentsOf('compose.yaml')[0])
  expect(composeFaults(compose, DEPLOY)).toEqual([])
  const { services, networks } = compose
  expect(Object.keys(services)).toEqual(['app1', 'app2', 'nginx', 'postgres', 'valkey'])
  const [{ gateway, subnet }] = networks.default.ipam.config
  for (const name of ['app1', 'app2']) {
    expect(services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      environment: { TRUSTED_PROXIES: subnet },
    })
  }
  for (const name of ['nginx', 'postgres', 'valkey']) {
    expect([name, services[name]?.healthcheck]).not.toEqual([name, undefined])
  }
  // Calls from this machine reach nginx from the gateway.
  expect(services.nginx).toMatchObject({
    environment: { FRONT_PROXY: `\${FRONT_PROXY:-${gateway}}` },
    ports: ['${HTTP_ADDRESS:-127.0.0.1}:${HTTP_PORT:-8080}:80'],
  })
})

test.each([
  ['readonly', 'read_only:', 'readonly:'],
  ['mem_limit', 'mem_limit: 1g', 'mem_limit: much'],
  ['restart', 'restart: unless-stopped', 'restart: sometimes'],
  ['interval', 'interval: 5s', 'interval: 5'],
  ['nginx has no tag', 'image: nginx:1.28-alpine', 'image: nginx'],
  ['nginx:latest has no tag', 'image: nginx:1.28-alpine', 'image: nginx:latest'],
  ['./nginx/other.conf is missing', './nginx/sohbet.conf:', './nginx/other.conf:'],
  ['other is missing', '[postgres:/var', '[other:/var'],
  ['app3 is not a service', 'app2: { condition', 'app3: { condition'],
])('compose is refused for %s', (fault, right, wrong) => {
  const text = read('compose.yaml')
  const broken = text.replace(right, wrong)
  expect(broken).not.toBe(text)
  const { data, error } = Compose.safeParse(parse(broken, { merge: true }))
  const faults = data ? composeFaults(data, DEPLOY) : [JSON.stringify(error?.issues)]
  expect(faults.join('\n')).toContain(fault)
})

test('the manifests run the version of this package, and every name in them leads somewhere', () => {
  const manifests = Manifests.parse(documentsOf('kubernetes/sohbet.yaml'))
  expect(manifestFaults(manifests)).toEqual([])
  const [container] = manifests[1].spec.template.spec.containers
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readRoot('package.json')))
  expect(container.image).toBe(`sohbet:${version}`)
})

test.each([
  ['readinessProbe', 'readinessProbe:', 'readyProbe:'],
  ['runAsNonRoot', 'runAsNonRoot: true', 'runAsNonRoot: false'],
  ['image', 'image: sohbet:0.1.0', 'image: sohbet:latest'],
  ['memory', 'memory: 1Gi', 'memory: 1 GB'],
  ['apiVersion', 'apiVersion: policy/v1', 'apiVersion: policy/v1beta1'],
  ['no port web', 'targetPort: http', 'targetPort: web'],
  ['no volume more', '{ name: data, mountPath', '{ name: more, mountPath'],
  ['No pod may be moved', 'minAvailable: 1', 'minAvailable: 2'],
  ['no settings', '{ name: sohbet }', '{ name: settings }'],
  ['No pod has', 'matchLabels: { app: sohbet }', 'matchLabels: { app: chat }'],
  ['The hosts differ', 'host: chat.example.com', 'host: www.example.com'],
])('manifests are refused for %s', (fault, right, wrong) => {
  const text = read('kubernetes/sohbet.yaml')
  const broken = text.replace(right, wrong)
  expect(broken).not.toBe(text)
  const documents = parseAllDocuments(broken).map((document) => document.toJS())
  const { data, error } = Manifests.safeParse(documents)
  const faults = data ? manifestFaults(data) : [JSON.stringify(error?.issues)]
  expect(faults.join('\n')).toContain(fault)
})

test('each setting that a file of the deployment names exists', () => {
  const found = files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line) => settingsOf(line).map((name) => `${file}: ${name}`)),
  )
  expect(found).toContain('Dockerfile: DATA_DIR')
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

/** The names of settings that a line gives a value: one, or several after `ENV` and `Environment=`. */
function settingsOf(line: string): string[] {
  const several = /^(?:ENV |Environment=)(.*)/.exec(line)?.[1]
  const names =
    several === undefined
      ? line.matchAll(/^ *([A-Z][A-Z_]{3,})(?:: |=)/g)
      : several.matchAll(/(?:^| )([A-Z][A-Z_]{3,})=/g)
  return [...names].map(([, name = '']) => name)
}
