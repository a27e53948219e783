import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Duration = z.string().regex(/^(?:\d+(?:ms|s|m|h))+$/)
const Size = z.string().regex(/^\d+[bkmg]$/)
/** `host:container`, after an address to listen on; a variable may have a default. */
const Part = String.raw`(?:\d[\d.]*|\$\{[A-Z_]+:-[\d.]+\})`
const Port = z.string().regex(new RegExp(`^(?:${Part}:)?${Part}:\\d+$`))
const Mount = z.string().regex(/^(?:\.{1,2}\/[\w./-]+|[a-z][\w-]*):\/[\w./-]+(?::r[ow])?$/)
/** Docker takes text and numbers; YAML would make `no` and `on` something else. */
const Environment = z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), z.string())
const Health = z.strictObject({
  test: z.tuple([z.literal('CMD'), z.string()], z.string()),
  interval: Duration,
  timeout: Duration,
  retries: z.int().positive(),
})
const Condition = z.enum(['service_started', 'service_healthy', 'service_completed_successfully'])

const Service = z.strictObject({
  image: z.string().min(1),
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']),
  command: z.array(z.string()).optional(),
  env_file: z.string().optional(),
  environment: Environment.optional(),
  ports: z.array(Port).optional(),
  volumes: z.array(Mount).optional(),
  tmpfs: z.array(z.string().startsWith('/')).optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  stop_grace_period: Duration.optional(),
  mem_limit: Size.optional(),
  shm_size: Size.optional(),
  ulimits: z.record(z.string(), z.int()).optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: Condition })).optional(),
  healthcheck: Health.optional(),
})
const Network = z.strictObject({
  ipam: z.strictObject({
    config: z.tuple([z.strictObject({ subnet: z.cidrv4(), gateway: z.ipv4() })]),
  }),
})
const Fields = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/),
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.null()),
  networks: z.strictObject({ default: Network }),
})
/** The part of the Compose specification that is used here. */
export const Compose = z.preprocess(withoutExtensions, Fields)
export type Compose = z.infer<typeof Fields>

function withoutExtensions(document: unknown): unknown {
  const { data } = z.record(z.string(), z.unknown()).safeParse(document)
  if (!data) return document
  return Object.fromEntries(Object.entries(data).filter(([key]) => !key.startsWith('x-')))
}

/** Returns what does not fit together, in a file that follows the schema and lies in `folder`. */
export function composeFaults({ services, volumes }: Compose, folder: string): string[] {
  return Object.entries(services).flatMap(([name, service]) => {
    const found: string[] = []
    const { build, image } = service
    const isTagged = /:[\w.-]+$/.test(image) && !image.endsWith(':latest')
    if (!build && !isTagged) found.push(`${image} has no tag`)
    if (build && !existsSync(join(folder, build.context, build.dockerfile))) {
      found.push(`${build.dockerfile} is missing`)
    }
    for (const mount of service.volumes ?? []) {
      const [source = ''] = mount.split(':')
      const isThere = source.startsWith('.') ? existsSync(join(folder, source)) : source in volumes
      if (!isThere) found.push(`${source} is missing`)
    }
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      const target = services[other]
      // One that is built has the check of its image.
      const isChecked = target?.healthcheck ?? target?.build
      if (!target) found.push(`${other} is not a service`)
      else if (condition === 'service_healthy' && !isChecked) found.push(`${other} has no check`)
    }
    return found.map((fault) => `${name}: ${fault}`)
  })
}
