import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { randomText } from './lib/ids.ts'
import { editDistance } from './lib/text/edit-distance.ts'
import type { QuotaName } from './quotas/schema.ts'
import type { EmbeddingChoice } from './models/embedding-model.ts'
import { PROVIDERS, PROVIDER_NAMES, type ProviderName } from './models/providers.ts'

/** Invalid settings. The message is the one line that the terminal shows: the first problem. */
export class SettingsError extends Error {
  readonly problems: readonly string[]

  constructor(first: string, ...others: readonly string[]) {
    super(first)
    this.problems = [first, ...others]
  }
}

const flag = z
  .enum(['true', 'false', '1', '0'])
  .transform((value) => value === 'true' || value === '1')
const limit = (standard: number) => z.coerce.number().int().min(0).max(1_000_000).default(standard)
/** Three numbers, of Starter, the Pro plans and Enterprise. */
const quota = (standard: string) =>
  z
    .string()
    .regex(/^\d{1,15}(?:,\d{1,15}){2}$/, 'must be three numbers: Starter, Pro, Enterprise')
    .default(standard)
    .transform((text): PlanFigures => {
      const [starter = 0, pro = 0, enterprise = 0] = text.split(',').map(Number)
      return [starter, pro, enterprise]
    })
const secret = z.string()
/** Shorter secrets can be guessed. */
const MIN_SECRET_LENGTH = 16
const SECRETS = [
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'OPERATOR_TOKEN',
  'OPERATOR_TOKEN_PREVIOUS',
  'METRICS_TOKEN',
] as const
const DEV_PATH_LENGTH = 24
/** How long a process behind a proxy accepts requests after SIGTERM: proxies notice later. */
const PROXY_SHUTDOWN_DELAY_MS = 3_000
/** The delay is a part of the 5 s after which a stopping process closes its connections. */
const MAX_SHUTDOWN_DELAY_MS = 4_000
/** Names with these prefixes are settings: a misspelt one must not leave a default in force. */
const OWN_NAME = /^(?:LIMIT|ACTION|MODEL|IMAGE_MODEL|EMBEDDING|DELIVERY|QUOTA|SHUTDOWN)_/
/** A name of the environment resembles a setting up to so many typing errors; short ones by chance. */
const MAX_TYPOS = 2
const MIN_RESEMBLING_LENGTH = 7
const MAX_EVENT_LOOP_LAG_MS = 3_000
const cidrs = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  )
  .refine(
    (entries) => entries.every(isCidr),
    'must be addresses or networks like 10.0.0.0/8, with commas',
  )
const modelNames = z
  .string()
  .max(10_000)
  .transform((value) =>
    value
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  )
/** `name=value,name=value`; values are percent-encoded. */
const headerList = z
  .string()
  .regex(/^(?:[\w-]+=[^,\s]*(?:,|$))*$/, 'must be name=value, separated by commas')
  .transform((text) => {
    const pairs = text
      .split(',')
      .filter(Boolean)
      .map((pair) => pair.split(/=(.*)/))
    return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, decodeURI(value)]))
  })
const address = (protocol: RegExp) => z.url({ protocol, error: 'must be a full address' })

/** `news@example.com`, `A Name <news@example.com>` or `"A Name" <news@example.com>` (RFC 5322). */
const sender = z
  .string()
  .transform((text) => {
    const match =
      /^(?:"(?<quoted>(?:[^"\\\r\n]|\\[^\r\n])*)"|(?<plain>[^<>\r\n]*?))\s*<(?<address>[^<>]+)>$/.exec(
        text.trim(),
      )
    const { quoted, plain = '' } = match?.groups ?? {}
    const name = quoted === undefined ? plain : quoted.replaceAll(/\\(.)/g, '$1')
    return { name, address: match?.groups?.address ?? text.trim() }
  })
  .refine(
    ({ address: given }) => z.email().safeParse(given).success,
    'must be an e-mail address, or a name and <an address>',
  )

const Settings = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3_000),
  PUBLIC_URL: address(/^https?$/).optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: address(/^postgres(ql)?$/).optional(),
  DATABASE_POOL_MAX: z.coerce.number().int().min(2).max(1_000).default(20),
  DATABASE_STATEMENTS: z.enum(['prepared', 'simple']).default('prepared'),
  REDIS_URL: address(/^(redis|rediss|valkey|valkeys)$/).optional(),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  SECRET_KEY: secret.optional(),
  SECRET_KEY_PREVIOUS: secret.optional(),
  OWNER_EMAIL: z.email('must be an e-mail address').optional(),
  OWNER_NAME: z.string().trim().max(120).optional(),
  OWNER_PASSWORD: z.string().min(8, 'needs at least 8 characters').max(200).optional(),
  SEED: z.enum(['demo', 'none']).optional(),
  OPERATOR_TOKEN: secret.optional(),
  OPERATOR_TOKEN_PREVIOUS: secret.optional(),
  METRICS_TOKEN: secret.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(/^https?$/).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headerList.default({}),
  OTEL_SERVICE_NAME: z.string().trim().min(1).max(100).default('sohbet'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  DEV_PAGES: flag.default(false),
  TRUSTED_PROXIES: cidrs.default([]),
  SHUTDOWN_DELAY_MS: z.coerce.number().int().min(0).max(MAX_SHUTDOWN_DELAY_MS).optional(),
  ALLOW_PRIVATE_TARGETS: flag.default(false),
  ALLOWED_TARGET_CIDRS: cidrs.default([]),
  MODEL_PROVIDER: z.enum(PROVIDER_NAMES).default('embedded'),
  MODEL_BASE_URL: address(/^https?$/).optional(),
  MODEL_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters')
    .optional(),
  MODEL_NAME: z.string().min(1).max(200).optional(),
  MODEL_ALLOWED: modelNames.default([]),
  IMAGE_MODEL_NAME: z.string().min(1).max(200).optional(),
  ACTION_TIMEOUT_MS: z.coerce.number().int().min(1).max(30_000).default(10_000),
  MODEL_TIMEOUT_MS: z.coerce.number().int().min(1).max(600_000).default(60_000),
  EMBEDDING_BASE_URL: address(/^https?$/).optional(),
  EMBEDDING_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters')
    .optional(),
  EMBEDDING_MODEL: z.string().min(1).max(200).optional(),
  SMTP_URL: address(/^smtps?$/).optional(),
  MAIL_FROM: sender.optional(),
  NODE_ENV: z.string().optional(),
  LIMIT_AUTH: limit(5),
  LIMIT_MESSAGE: limit(60),
  LIMIT_HOOKS: limit(500),
  LIMIT_ANALYTICS: limit(120),
  LIMIT_DEFAULT: limit(60),
  LIMIT_EXECUTE: limit(30),
  LIMIT_PANEL: limit(600),
  LIMIT_OPEN: limit(120),
  LIMIT_STREAMS: limit(100),
  LIMIT_DAILY_SHARE: z.coerce.number().int().min(0).max(100).default(25),
  LIMIT_IN_FLIGHT: limit(1_000),
  LIMIT_WAITING: limit(300),
  LIMIT_WAIT_MS: limit(1_000),
  QUOTA_SITES: quota('3,20,200'),
  QUOTA_STORED_BYTES: quota('100000000,1000000000,10000000000'),
  QUOTA_PASSAGES: quota('5000,20000,60000'),
  QUOTA_MEMBERS: quota('3,20,200'),
  DELIVERY_TIME_SCALE: z.coerce.number().min(0).max(1_000).default(1),
  ACCESS_LOG: flag.default(false),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

/** The rate limit pools with a setting of their own. */
export type LimitName =
  | 'auth'
  | 'message'
  | 'hooks'
  | 'analytics'
  | 'default'
  | 'execute'
  | 'panel'
  | 'open'

/** A figure of Starter, of the Pro plans, and of Enterprise: by `PLAN_RANKS`. */
export type PlanFigures = readonly [number, number, number]

/** A name that is probably a misspelt setting. */
interface MisspeltName {
  name: string
  meant: string
}

/** The model provider of the settings. */
export interface InstallationModel {
  provider: ProviderName
  baseUrl: string | undefined
  apiKey: string | undefined
  model: string | undefined
  imageModel: string | undefined
}

/** All settings, validated and typed. */
/** The OpenTelemetry collector, and what is sent to it. */
export interface TracingSettings {
  endpoint: string
  headers: Readonly<Record<string, string>>
  /** The name of the service in its spans. */
  service: string
  /** The share of the traces that begin here, between 0 and 1. */
  share: number
}

export interface Config {
  host: string
  port: number
  /** Without a trailing slash. Undefined without `PUBLIC_URL`, until the port is known. */
  publicUrl: string | undefined
  dataDir: string
  databaseUrl: string | undefined
  /** Postgres connections of this process. */
  databasePoolMax: number
  /** `simple`: nothing outlives a transaction in a session, as pgbouncer's transaction mode requires. */
  databaseStatements: 'prepared' | 'simple'
  redisUrl: string | undefined
  role: 'all' | 'api' | 'worker'
  secretKey: string | undefined
  secretKeyPrevious: string | undefined
  /** The name is empty when it is not set. */
  owner: { email: string; password: string; name: string } | undefined
  seed: 'demo' | 'none'
  operatorToken: string | undefined
  /** Still valid during a rotation; never without `operatorToken`. */
  operatorTokenPrevious: string | undefined
  /** The bearer token of `/metrics`; undefined: the route is 404. */
  metricsToken: string | undefined
  /** The collector of traces; undefined where nothing is traced. */
  tracing: TracingSettings | undefined
  /** The unguessable path of the development pages, new at each start; undefined: they are 404. */
  devPath: string | undefined
  trustedProxies: string[]
  /** After SIGTERM, the time in which the process is not ready but still accepts requests. */
  shutdownDelayMs: number
  allowPrivateTargets: boolean
  allowedTargetCidrs: string[]
  /** The installation's model for every workspace; undefined for the embedded model. */
  model: InstallationModel | undefined
  /** Models besides `MODEL_NAME` that a workspace's prompts may name on the installation's provider. */
  modelAllowed: string[]
  /** Deadline of each attempt of an action, from the DNS lookup to the last byte. */
  actionTimeoutMs: number
  modelTimeoutMs: number
  /** The installation's embedding model; undefined for lexical search alone. */
  embedding: EmbeddingChoice | undefined
  /** The SMTP server; undefined when mails are not sent. */
  smtpUrl: string | undefined
  /** The sender of mails; undefined for `no-reply@` and the host of `PUBLIC_URL`. */
  mailFrom: { name: string; address: string } | undefined
  isProduction: boolean
  /** The names of secrets that are too short for a service that others can reach. */
  shortSecrets: string[]
  limits: Record<LimitName, number>
  /** What one client address may use of a site's daily cap; 0 for all of it. */
  dailySharePercent: number
  /** Open event streams of one client address; 0 for any number. */
  maxStreams: number
  /**
   * Requests in flight, the wait expected for one more, waiters for a connection and the lag of the
   * event loop, above which requests are refused; 0 for any.
   */
  load: { maxInFlight: number; maxWaitMs: number; maxWaiting: number; maxLagMs: number }
  quotas: Record<QuotaName, PlanFigures>
  deliveryTimeScale: number
  /** Whether each answered request is a line of the log. */
  accessLog: boolean
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  /** Names in the environment that resemble a setting which is not set. */
  misspelt: readonly MisspeltName[]
}

/**
 * Reads the settings from the environment, and from a `.env` file beside the process.
 * Throws `SettingsError` with one line for the first invalid setting.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const unknown = Object.keys(given).filter((name) => OWN_NAME.test(name) && !isSetting(name))
  const parsed = Settings.safeParse(given)
  const issues = parsed.error?.issues ?? []
  const [first, ...others] = [
    ...unknown.map((name) => `${name}: is not the name of a setting`),
    ...issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
  ]
  if (first !== undefined) throw new SettingsError(first, ...others)
  if (!parsed.success) throw parsed.error
  const set = parsed.data
  if (set.DATABASE_URL && !set.SECRET_KEY) {
    throw new SettingsError('SECRET_KEY: is required with DATABASE_URL, the same for every process')
  }
  if (set.OPERATOR_TOKEN_PREVIOUS && !set.OPERATOR_TOKEN) {
    throw new SettingsError('OPERATOR_TOKEN: is required with OPERATOR_TOKEN_PREVIOUS')
  }
  if (Boolean(set.OWNER_EMAIL) !== Boolean(set.OWNER_PASSWORD)) {
    throw new SettingsError('OWNER_EMAIL and OWNER_PASSWORD: set both or neither')
  }
  if (set.ROLE !== 'all' && !set.DATABASE_URL) {
    throw new SettingsError(
      'ROLE: "api" and "worker" need DATABASE_URL; the embedded database has one process',
    )
  }
  const model = modelOf(set)
  const isProduction = set.NODE_ENV === 'production'
  const shortSecrets = SECRETS.filter((name) => (set[name]?.length ?? Infinity) < MIN_SECRET_LENGTH)
  if (isProduction && shortSecrets.length > 0) {
    throw new SettingsError(`${shortSecrets[0]}: needs at least ${MIN_SECRET_LENGTH} characters`)
  }
  return {
    host: set.HOST,
    port: set.PORT,
    publicUrl: set.PUBLIC_URL?.replace(/\/+$/, ''),
    dataDir: resolve(set.DATA_DIR),
    databaseUrl: set.DATABASE_URL,
    databasePoolMax: set.DATABASE_POOL_MAX,
    databaseStatements: set.DATABASE_STATEMENTS,
    redisUrl: set.REDIS_URL,
    role: set.ROLE,
    secretKey: set.SECRET_KEY,
    secretKeyPrevious: set.SECRET_KEY_PREVIOUS,
    owner:
      set.OWNER_EMAIL && set.OWNER_PASSWORD
        ? { email: set.OWNER_EMAIL, password: set.OWNER_PASSWORD, name: set.OWNER_NAME ?? '' }
        : undefined,
    seed: set.SEED ?? (isProduction || model || set.DATABASE_URL ? 'none' : 'demo'),
    operatorToken: set.OPERATOR_TOKEN,
    operatorTokenPrevious: set.OPERATOR_TOKEN_PREVIOUS,
    metricsToken: set.METRICS_TOKEN,
    tracing: set.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: set.OTEL_EXPORTER_OTLP_HEADERS,
          service: set.OTEL_SERVICE_NAME,
          share: set.OTEL_TRACES_SAMPLER_ARG,
        }
      : undefined,
    devPath: set.DEV_PAGES ? `/dev/${randomText(DEV_PATH_LENGTH)}` : undefined,
    trustedProxies: set.TRUSTED_PROXIES,
    shutdownDelayMs:
      set.SHUTDOWN_DELAY_MS ?? (set.TRUSTED_PROXIES.length > 0 ? PROXY_SHUTDOWN_DELAY_MS : 0),
    allowPrivateTargets: set.ALLOW_PRIVATE_TARGETS,
    allowedTargetCidrs: set.ALLOWED_TARGET_CIDRS,
    model,
    modelAllowed: set.MODEL_ALLOWED,
    actionTimeoutMs: set.ACTION_TIMEOUT_MS,
    modelTimeoutMs: set.MODEL_TIMEOUT_MS,
    embedding: embeddingOf(set),
    smtpUrl: set.SMTP_URL,
    mailFrom: set.MAIL_FROM,
    isProduction,
    shortSecrets,
    limits: {
      auth: set.LIMIT_AUTH,
      message: set.LIMIT_MESSAGE,
      hooks: set.LIMIT_HOOKS,
      analytics: set.LIMIT_ANALYTICS,
      default: set.LIMIT_DEFAULT,
      execute: set.LIMIT_EXECUTE,
      panel: set.LIMIT_PANEL,
      open: set.LIMIT_OPEN,
    },
    dailySharePercent: set.LIMIT_DAILY_SHARE,
    maxStreams: set.LIMIT_STREAMS,
    load: {
      maxInFlight: set.LIMIT_IN_FLIGHT,
      maxWaitMs: set.LIMIT_WAIT_MS,
      maxWaiting: set.LIMIT_WAITING,
      maxLagMs: MAX_EVENT_LOOP_LAG_MS,
    },
    quotas: {
      sites: set.QUOTA_SITES,
      stored_bytes: set.QUOTA_STORED_BYTES,
      passages: set.QUOTA_PASSAGES,
      members: set.QUOTA_MEMBERS,
    },
    deliveryTimeScale: set.DELIVERY_TIME_SCALE,
    accessLog: set.ACCESS_LOG,
    logLevel: set.LOG_LEVEL,
    misspelt: findMisspelt(Object.keys(given)),
  }
}

/** Whether a name of the environment is that of a setting. */
export function isSetting(name: string): boolean {
  return Object.hasOwn(Settings.shape, name)
}

function findMisspelt(names: readonly string[]): MisspeltName[] {
  const missing = Object.keys(Settings.shape).filter(
    (name) => name.length >= MIN_RESEMBLING_LENGTH && !names.includes(name),
  )
  return names
    .filter((name) => !isSetting(name))
    .flatMap((name) => {
      const meant = missing.find((other) => editDistance(name, other, MAX_TYPOS) <= MAX_TYPOS)
      return meant === undefined ? [] : [{ name, meant }]
    })
}

/** Returns the installation's model. Throws `SettingsError` when a required setting is missing. */
function modelOf(set: z.infer<typeof Settings>): InstallationModel | undefined {
  const provider = set.MODEL_PROVIDER
  const chosen = PROVIDERS[provider]
  if (chosen.isLocal) return undefined
  for (const setting of chosen.requiredSettings) {
    if (!set[setting]) {
      throw new SettingsError(`${setting}: is required with MODEL_PROVIDER "${provider}"`)
    }
  }
  if (!set.MODEL_NAME && !set.IMAGE_MODEL_NAME) {
    throw new SettingsError(`MODEL_NAME: is required with MODEL_PROVIDER "${provider}"`)
  }
  return {
    provider,
    baseUrl: set.MODEL_BASE_URL,
    apiKey: set.MODEL_API_KEY,
    model: set.MODEL_NAME,
    imageModel: set.IMAGE_MODEL_NAME,
  }
}

/** Returns the installation's embedding model. Throws `SettingsError` for half of its settings. */
function embeddingOf(set: z.infer<typeof Settings>): EmbeddingChoice | undefined {
  const { EMBEDDING_BASE_URL: baseUrl, EMBEDDING_MODEL: model, EMBEDDING_API_KEY: apiKey } = set
  if (!baseUrl && !model && !apiKey) return undefined
  if (!baseUrl) throw new SettingsError('EMBEDDING_BASE_URL: is required with EMBEDDING_MODEL')
  if (!model) throw new SettingsError('EMBEDDING_MODEL: is required with EMBEDDING_BASE_URL')
  return { baseUrl, apiKey, model }
}

function isCidr(entry: string): boolean {
  const [host = '', bits, more] = entry.split('/')
  const family = isIP(host)
  if (family === 0 || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}
