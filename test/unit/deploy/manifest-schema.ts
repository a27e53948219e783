import { z } from 'zod'

const Name = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/)
const Texts = z.record(z.string(), z.string())
const Metadata = z.strictObject({
  name: Name,
  labels: Texts.optional(),
  annotations: Texts.optional(),
})
const Selector = z.strictObject({ matchLabels: Texts })
const PortNumber = z.int().min(1).max(65_535)
const PortName = z.string().regex(/^[a-z0-9-]{1,15}$/)
const Quantity = z.string().regex(/^\d+(?:m|Ki|Mi|Gi)?$/)
const Seconds = z.int().positive()

const Probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string().startsWith('/'), port: PortName }),
  periodSeconds: Seconds,
  timeoutSeconds: Seconds.optional(),
  failureThreshold: z.int().positive(),
})
const Source = z.union([
  z.strictObject({ configMapRef: z.strictObject({ name: Name }) }),
  z.strictObject({ secretRef: z.strictObject({ name: Name }) }),
])
const Container = z.strictObject({
  name: Name,
  image: z.string().regex(/:(?!latest$)[\w.-]+$/),
  envFrom: z.array(Source),
  ports: z.array(z.strictObject({ name: PortName, containerPort: PortNumber })),
  securityContext: z.strictObject({
    readOnlyRootFilesystem: z.literal(true),
    allowPrivilegeEscalation: z.literal(false),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: Quantity, memory: Quantity }),
    limits: z.strictObject({ cpu: Quantity.optional(), memory: Quantity }),
  }),
  startupProbe: Probe,
  livenessProbe: Probe,
  readinessProbe: Probe,
  volumeMounts: z.array(z.strictObject({ name: Name, mountPath: z.string().startsWith('/') })),
})
const Pod = z.strictObject({
  automountServiceAccountToken: z.literal(false),
  terminationGracePeriodSeconds: Seconds,
  topologySpreadConstraints: z.array(
    z.strictObject({
      maxSkew: z.int().positive(),
      topologyKey: z.string(),
      whenUnsatisfiable: z.enum(['DoNotSchedule', 'ScheduleAnyway']),
      labelSelector: Selector,
    }),
  ),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.int().positive(),
    runAsGroup: z.int().positive(),
    fsGroup: z.int().positive(),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  containers: z.tuple([Container]),
  volumes: z.array(z.strictObject({ name: Name, emptyDir: z.strictObject({}) })),
})
const Deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata: Metadata,
  spec: z.strictObject({
    replicas: z.int().min(2),
    selector: Selector,
    strategy: z.strictObject({
      rollingUpdate: z.strictObject({ maxUnavailable: z.literal(0), maxSurge: z.int().positive() }),
    }),
    template: z.strictObject({ metadata: Metadata.omit({ name: true }), spec: Pod }),
  }),
})
const ConfigMap = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ConfigMap'),
  metadata: Metadata,
  data: Texts,
})
const Budget = z.strictObject({
  apiVersion: z.literal('policy/v1'),
  kind: z.literal('PodDisruptionBudget'),
  metadata: Metadata,
  spec: z.strictObject({ minAvailable: z.int().positive(), selector: Selector }),
})
const Service = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata: Metadata,
  spec: z.strictObject({
    selector: Texts,
    ports: z.tuple([z.strictObject({ name: PortName, port: PortNumber, targetPort: PortName })]),
  }),
})
const Backend = z.strictObject({
  service: z.strictObject({ name: Name, port: z.strictObject({ name: PortName }) }),
})
const Path = z.strictObject({
  path: z.string().startsWith('/'),
  pathType: z.enum(['Prefix', 'Exact']),
  backend: Backend,
})
const Ingress = z.strictObject({
  apiVersion: z.literal('networking.k8s.io/v1'),
  kind: z.literal('Ingress'),
  metadata: Metadata,
  spec: z.strictObject({
    ingressClassName: Name,
    tls: z.tuple([z.strictObject({ hosts: z.array(z.hostname()), secretName: Name })]),
    rules: z.tuple([
      z.strictObject({ host: z.hostname(), http: z.strictObject({ paths: z.tuple([Path]) }) }),
    ]),
  }),
})
/** The part of the API of Kubernetes that is used here: each kind once, in this order. */
export const Manifests = z.tuple([ConfigMap, Deployment, Budget, Service, Ingress])
export type Manifests = z.infer<typeof Manifests>

/** Returns which names lead nowhere, in manifests that follow the schema. */
export function manifestFaults([
  config,
  deployment,
  budget,
  service,
  ingress,
]: Manifests): string[] {
  const { selector, template } = deployment.spec
  const [container] = template.spec.containers
  const [port] = service.spec.ports
  const [rule] = ingress.spec.rules
  const [path] = rule.http.paths
  const [tls] = ingress.spec.tls
  const spread = template.spec.topologySpreadConstraints
  const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe]
  const ports = new Set(container.ports.map(({ name }) => name))
  const volumes = new Set(template.spec.volumes.map(({ name }) => name))
  const labels = template.metadata.labels ?? {}
  const fits = (wanted: Record<string, string>) =>
    Object.entries(wanted).every(([name, value]) => labels[name] === value)
  const selectors = [
    selector.matchLabels,
    budget.spec.selector.matchLabels,
    service.spec.selector,
    ...spread.map(({ labelSelector }) => labelSelector.matchLabels),
  ]
  const maps = container.envFrom.flatMap((source) =>
    'configMapRef' in source ? [source.configMapRef.name] : [],
  )
  return [
    ...selectors.filter((each) => !fits(each)).map((each) => `No pod has ${JSON.stringify(each)}`),
    ...[...probes.map(({ httpGet }) => httpGet.port), port.targetPort]
      .filter((name) => !ports.has(name))
      .map((name) => `The container has no port ${name}`),
    ...container.volumeMounts
      .filter(({ name }) => !volumes.has(name))
      .map(({ name }) => `There is no volume ${name}`),
    ...maps.filter((name) => name !== config.metadata.name).map((name) => `There is no ${name}`),
    ...(path.backend.service.name === service.metadata.name &&
    path.backend.service.port.name === port.name
      ? []
      : ['The ingress leads to no service']),
    ...(tls.hosts.includes(rule.host) && config.data.PUBLIC_URL === `https://${rule.host}`
      ? []
      : ['The hosts differ']),
    ...(budget.spec.minAvailable < deployment.spec.replicas ? [] : ['No pod may be moved']),
  ]
}
