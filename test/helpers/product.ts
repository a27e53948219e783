import { readConfig } from '../../server/config.ts'
import type { Document } from '../../server/knowledge/schema.ts'
import type { Clock } from '../../server/lib/clock.ts'
import { systemClock } from '../../server/lib/clock.ts'
import { openLog } from '../../server/boot/log.ts'
import type { Passwords } from '../../server/platform/auth/passwords.ts'
import type { TokenAnswer } from '../../server/platform/schema.ts'
import { startServer } from '../../server/server.ts'
import type { VisitorAnswer, Workspace } from './answers.ts'
import type { DatabasePlace } from './databases.ts'
import { RememberedPasswords } from './passwords.ts'

export const OPERATOR_TOKEN = 'operator-token-for-tests'
export const METRICS_TOKEN = 'metrics-token-for-tests'

/** A response with its parsed body. */
export interface Answer<Body> {
  status: number
  headers: Headers
  text: string
  body: Body
}

export interface CallOptions {
  method?: string
  token?: string
  headers?: Record<string, string>
  body?: unknown
  /** Raw body, instead of `body`. */
  raw?: string | Uint8Array<ArrayBuffer>
}

/** The product on a free port, with its own database. */
export interface TestProduct {
  url: string
  /** The random path of the development pages. */
  devPath: string
  ctx: Awaited<ReturnType<typeof startServer>>['ctx']
  /** Calls a route over HTTP. The type parameter is the expected body. */
  call<Body = Record<string, never>>(path: string, options?: CallOptions): Promise<Answer<Body>>
}

/** Enough of a product for what goes over HTTP alone. */
export type HttpProduct = Pick<TestProduct, 'url' | 'call'>

/** A product that the caller stops. */
export interface StartedProduct extends TestProduct {
  stop(): Promise<void>
}

export interface ProductOptions {
  clock?: Clock
  settings?: Record<string, string>
  /** For tests of logins: passwords without the cache. */
  passwords?: Passwords
  /** Takes the lines of the log, from `LOG_LEVEL` on. */
  onLog?: (line: LogLine) => void
}

/** A line of the log, parsed. */
export interface LogLine {
  level: number
  event?: string
  msg: string
}

/** Shared by all products of this process. */
const remembered = new RememberedPasswords()

/**
 * Starts the product like `npm start`, but on a free port and without rate limits: for tests of
 * starting, settings and crashes. Other tests share a product through `useProduct`.
 */
export async function startTestProduct(
  place: DatabasePlace,
  options: ProductOptions = {},
): Promise<StartedProduct> {
  const config = readConfig({
    PORT: '0',
    PUBLIC_URL: 'http://localhost:3000',
    DATA_DIR: place.dataDir,
    SECRET_KEY: 'a-secret-key-for-tests-only',
    OPERATOR_TOKEN,
    METRICS_TOKEN,
    DEV_PAGES: 'true',
    SEED: 'none',
    LOG_LEVEL: 'error',
    LIMIT_AUTH: '0',
    LIMIT_MESSAGE: '0',
    LIMIT_DEFAULT: '0',
    LIMIT_PANEL: '0',
    LIMIT_OPEN: '0',
    LIMIT_STREAMS: '0',
    LIMIT_WAIT_MS: '0',
    SHUTDOWN_DELAY_MS: '0',
    ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}),
    ...options.settings,
  })
  // The test in the same process may keep the event loop for seconds on a busy machine.
  config.load.maxLagMs = 0
  const { onLog } = options
  const write = onLog && ((line: string) => onLog(JSON.parse(line)))
  const log = openLog(config.logLevel, false, write && { write })
  const product = await startServer(config, {
    clock: options.clock ?? systemClock,
    log,
    passwords: options.passwords ?? remembered,
  })
  return {
    url: product.url,
    devPath: config.devPath ?? '/dev',
    ctx: product.ctx,
    call: (path, call = {}) => callOver(product.url, path, call),
    stop: () => product.stop(),
  }
}

/** Calls any server over HTTP and parses the response. */
export async function callOver<Body>(
  base: string,
  path: string,
  call: CallOptions,
): Promise<Answer<Body>> {
  const hasBody = call.body !== undefined || call.raw !== undefined
  const response = await fetch(base + path, {
    method: call.method ?? (hasBody ? 'POST' : 'GET'),
    headers: {
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...(call.token ? { authorization: `Bearer ${call.token}` } : {}),
      ...call.headers,
    },
    ...(hasBody ? { body: call.raw ?? JSON.stringify(call.body) } : {}),
  })
  const type = response.headers.get('content-type') ?? ''
  // A live stream has no end: the head is the response.
  const isLive = call.method === 'GET' && type.startsWith('text/event-stream')
  if (isLive) await response.body?.cancel()
  const text = isLive ? '' : await response.text()
  const isJson = /\bjson\b/.test(type)
  const body: Body = isJson && text ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, text, body }
}

/** A workspace with a tenant and a signed-in owner, created over HTTP by the operator's routes. */
export interface TestWorkspace {
  id: string
  token: string
  tenantId: string
  email: string
}

let made = 0

/** Creates a workspace with an owner and a tenant. */
export async function addWorkspace(
  product: Pick<TestProduct, 'call'>,
  options: { plan?: string; credits?: number; tenant?: Record<string, unknown> } = {},
): Promise<TestWorkspace> {
  made += 1
  const email = `owner${made}@example.com`
  const password = 'a long password'
  const opened = await product.call<Workspace>('/api/v1/operator/workspaces', {
    token: OPERATOR_TOKEN,
    body: {
      name: `Workspace ${made}`,
      plan: options.plan ?? 'klinik_pro',
      locale: 'tr',
      owner: { email, name: 'Owner', password },
      ...(options.credits === undefined ? {} : { monthly_credits: options.credits }),
    },
  })
  if (opened.status !== 201) throw new Error(`The workspace was not opened: ${opened.text}`)
  const signedIn = await product.call<TokenAnswer>('/api/v1/auth/token', {
    body: { email, password },
  })
  const token = signedIn.body.access_token
  const tenantId = `tenant-${made}-${Math.random().toString(36).slice(2, 8)}`
  const tenant = await product.call('/api/v1/tenants', {
    token,
    // Tests spend a month's credits in a day.
    body: { tenant_id: tenantId, name: 'Site', daily_credit_cap: null, ...options.tenant },
  })
  if (tenant.status !== 201) throw new Error(`The tenant was not opened: ${tenant.text}`)
  return { id: opened.body.ws_id, token, tenantId, email }
}

/** Adds a document to the workspace's tenant. */
export async function addDocument(
  product: HttpProduct,
  workspace: TestWorkspace,
  document: { title: string; content: string; kind?: string; url?: string },
): Promise<string> {
  const added = await product.call<Document>(`/api/v1/tenants/${workspace.tenantId}/knowledge`, {
    token: workspace.token,
    body: { kind: 'markdown', ...document },
  })
  if (added.status !== 201) throw new Error(`The document was not added: ${added.text}`)
  return added.body.doc_id
}

/** Returns a visitor's token for the workspace's tenant. */
export async function addVisitor(
  product: Pick<TestProduct, 'call'>,
  workspace: TestWorkspace,
): Promise<string> {
  const answer = await product.call<VisitorAnswer>('/api/v1/auth/visitor', {
    body: { tenant_id: workspace.tenantId },
  })
  if (answer.status !== 200) throw new Error(`No visitor token: ${answer.text}`)
  return answer.body.access_token
}
