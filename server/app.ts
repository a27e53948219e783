import cookie from '@fastify/cookie'
import underPressure from '@fastify/under-pressure'
import Fastify, { LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actionRoutes } from './actions/routes.ts'
import { attachmentRoutes } from './attachments/routes.ts'
import { analyticsRoutes } from './analytics/routes.ts'
import { appointmentRoutes } from './appointments/routes.ts'
import { ProofOfWork } from './chat/visitor/proof-of-work.ts'
import { logoRoutes } from './tenants/routes.logos.ts'
import { tenantRoutes } from './tenants/routes.ts'
import { chatRoutes } from './chat/routes.ts'
import type { VisitorParts } from './chat/routes.visitor.ts'
import { API_EXAMPLES } from './api-examples.ts'
import { API_PARAMETERS } from './api-parameters.ts'
import { NAMED_SCHEMAS } from './api-schemas.ts'
import type { Context } from './context.ts'
import { accountRoutes, serializeMe } from './workspaces/me.ts'
import { creditRoutes } from './credits/routes.ts'
import { ledgerRoutes } from './credits/routes.ledger.ts'
import { usageRoutes } from './credits/routes.usage.ts'
import { doctorRoutes } from './doctor/routes.ts'
import { evaluationRoutes } from './evaluation/routes.ts'
import type { Sender } from './delivery/http/attempt.ts'
import { devHookRoutes } from './webhook-inspector/routes.ts'
import { integrationRoutes } from './integrations/routes.ts'
import { guardRoutes } from './http/access.ts'
import { logRequests } from './http/access-log.ts'
import type { App } from './http/app-type.ts'
import { panelFileRoutes } from './http/static/panel-files.ts'
import { widgetFileRoutes } from './http/static/widget-files.ts'
import { parseBodies } from './http/requests/bodies.ts'
import { noStoreByDefault } from './http/caching.ts'
import { allowOrigins } from './http/cross-origin.ts'
import { installErrorHandler, rejectMalformedHttp, rejectUnroutable } from './http/errors.ts'
import { refuseUnknownAddresses } from './http/requests/unknown-addresses.ts'
import { validationMessage } from './http/validation-messages.ts'
import {
  HTTP_PARSER_OPTIONS,
  addRequestIdHeader,
  checkRequestHeads,
  getRequestId,
} from './http/requests/request-heads.ts'
import { healthRoutes, rejectUnderPressure } from './http/health.ts'
import { limitStreams, openLimits } from './http/rate-limits.ts'
import { measureRequests } from './http/metrics.ts'
import { describeRoutes } from './http/openapi/openapi.ts'
import { addSecurityHeaders, requireHttps } from './http/security-headers.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { knowledgeRoutes } from './knowledge/routes.ts'
import { leadRoutes } from './leads/routes.ts'
import { type McpParts, mcpRoutes } from './mcp/routes.ts'
import { noscriptRoutes } from './noscript/routes.ts'
import { installationRoutes } from './operator/routes.ts'
import { Authenticator } from './platform/auth/authenticator.ts'
import { revokeStreamsOf } from './platform/auth/stream-revocation.ts'
import type { Passwords } from './platform/auth/passwords.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { type PlatformParts, platformRoutes } from './platform/routes.ts'
import { Tokens } from './platform/auth/tokens.ts'
import { presenceRoutes } from './presence/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { promptRoutes } from './prompts/routes.ts'
import { openRunServices } from './prompts/runs/execute.ts'
import { describeRuleWebhooks } from './rules/openapi-webhooks.ts'
import { ruleRoutes } from './rules/routes.ts'
import { describeSubscriptionWebhooks } from './subscriptions/openapi-webhooks.ts'
import { subscriptionRoutes } from './subscriptions/routes.ts'
import { limitConnections } from './runtime/connections.ts'
import { type LoadSource, shedLoad } from './runtime/load-shedding.ts'
import { dialectOf } from './storage/dialect.ts'
import { openWorkspaceScope } from './storage/workspace-scope.ts'
import type { Readiness } from './runtime/readiness.ts'
import { setupRoutes } from './setup/routes.ts'
import type { Tracing } from './telemetry/tracing.ts'
import { workspaceRoutes } from './workspaces/routes.ts'
import { checkRoutes } from './workspaces/routes.checks.ts'
import { closingRoutes } from './workspaces/routes.closing.ts'
import { operatorRoutes } from './workspaces/routes.operator.ts'

/** A request, head and body, has arrived by then, or its connection is closed. */
const REQUEST_TIMEOUT_MS = 30_000

/** The services of the HTTP layer; each slice takes those that its routes need. */
type SliceParts = VisitorParts & PlatformParts & McpParts & { sender: Sender }

/** On a request: the slices that register routes, in the order of the API document. */
const SLICES: readonly ((app: App, ctx: Context, parts: SliceParts) => void | Promise<void>)[] = [
  platformRoutes,
  setupRoutes,
  devHookRoutes,
  accountRoutes,
  creditRoutes,
  operatorRoutes,
  installationRoutes,
  doctorRoutes,
  ledgerRoutes,
  usageRoutes,
  workspaceRoutes,
  checkRoutes,
  closingRoutes,
  tenantRoutes,
  logoRoutes,
  knowledgeRoutes,
  actionRoutes,
  chatRoutes,
  evaluationRoutes,
  noscriptRoutes,
  leadRoutes,
  presenceRoutes,
  notificationRoutes,
  inboxRoutes,
  attachmentRoutes,
  appointmentRoutes,
  analyticsRoutes,
  overviewRoutes,
  privacyRoutes,
  promptRoutes,
  ruleRoutes,
  subscriptionRoutes,
  integrationRoutes,
  mcpRoutes,
]

interface AppParts {
  version: string
  passwords: Passwords
  sender: Sender
  isStopping: () => boolean
  load: LoadSource
  readiness: Readiness
  tracing: Pick<Tracing, 'traceRequests'> | undefined
}

/**
 * Opens the HTTP application; of a worker, with health and metrics alone. Refuses to start with a route
 * that declares too little.
 */
export async function openApp(ctx: Context, parts: AppParts): Promise<App> {
  const { version, passwords, sender, isStopping } = parts
  const app = createApp(ctx)
  parts.tracing?.traceRequests(app)
  const { maxStreams, trustedProxies } = ctx.config
  limitConnections(app.server, { trustedProxies, perAddress: maxStreams > 0 })
  closeConnectionsWhile(app, isStopping)
  await protect(app, ctx, parts.load)
  const tokens = new Tokens(ctx.secrets, ctx.now)
  const { counters } = ctx
  const limits = await openLimits(app, ctx.config.limits, counters, ctx.metrics)
  const challenges = new ProofOfWork(ctx, counters)
  const gate = new Authenticator(ctx, { tokens, passwords, limits })
  refuseUnknownAddresses(app)
  const rules = guardRoutes(app, gate)
  if (dialectOf(ctx.db) === 'postgres') scopeRequests(app)
  revokeStreamsOf(app, ctx.streams)
  limitStreams(app, { max: maxStreams, metrics: ctx.metrics })
  const health = { limits, isStopping, readiness: parts.readiness }
  if (ctx.config.role === 'worker') {
    healthRoutes(app, ctx, health)
    return app
  }
  const webhooks = { ...describeSubscriptionWebhooks(), ...describeRuleWebhooks() }
  await describeRoutes(app, {
    version,
    publicUrl: ctx.config.publicUrl,
    webhooks,
    schemas: NAMED_SCHEMAS,
    parameters: API_PARAMETERS,
    examples: API_EXAMPLES,
  })

  healthRoutes(app, ctx, health)
  await widgetFileRoutes(app)
  await panelFileRoutes(app)
  const runs = openRunServices()
  const services = { tokens, passwords, limits, challenges, gate, rules, runs }
  const shared = { ...services, showMe: serializeMe, sender, version }
  for (const register of SLICES) await register(app, ctx, shared)
  return app
}

function createApp(ctx: Context): App {
  const app: App = Fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: ctx.config.trustedProxies.length > 0 ? ctx.config.trustedProxies : false,
    genReqId: getRequestId,
    frameworkErrors: rejectUnroutable,
    clientErrorHandler: rejectMalformedHttp,
    http: HTTP_PARSER_OPTIONS,
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    // Requests that arrive during a shutdown are answered, not refused by the framework.
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: 200 },
  })
  z.config({ customError: validationMessage })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('caller', undefined)
  measureRequests(app, ctx.metrics)
  if (ctx.config.accessLog) logRequests(app)
  return app
}

/**
 * Makes clients send their next request on another connection, which a proxy opens elsewhere. A request
 * that began before the shutdown counts as well: its connection would be reused as it is closed.
 */
function closeConnectionsWhile(app: App, isStopping: () => boolean): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (isStopping()) reply.header('connection', 'close')
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping()) reply.header('connection', 'close')
    done(null, payload)
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The time for which the request counts as its workspace's; undefined before its caller is known. */
    workspaceScope: { isAnswered: boolean; close: () => void } | undefined
  }
}

/**
 * Runs the routes for the workspace of their caller, whose part of the database's connections they use.
 * Call it after the routes are guarded.
 */
function scopeRequests(app: App): void {
  app.decorateRequest('workspaceScope', undefined)
  // After the body, whose arrival has no caller.
  app.addHook('preValidation', (request, reply, done) => {
    const { caller, method, routeOptions } = request
    // A live stream may start the timers that serve all streams, and is open for as long as they run.
    const isLive = method === 'GET' && routeOptions.config.events !== undefined
    const close = openWorkspaceScope(isLive ? undefined : caller?.workspaceId, done)
    const scope = { isAnswered: reply.sent, close }
    request.workspaceScope = scope
    // The work of a caller that has gone goes on for the workspace until it is answered.
    reply.raw.once('close', () => {
      if (scope.isAnswered || reply.sent) close()
    })
  })
  app.addHook('onSend', ({ workspaceScope }, reply, payload, done) => {
    if (workspaceScope !== undefined) workspaceScope.isAnswered = true
    if (reply.raw.closed) workspaceScope?.close()
    done(null, payload)
  })
}

/**
 * Adds the hooks of all routes: problem documents, headers, CORS, backpressure, bodies, cookies.
 */
async function protect(app: App, ctx: Context, load: LoadSource): Promise<void> {
  installErrorHandler(app, ctx.outage)
  addRequestIdHeader(app)
  checkRequestHeads(app)
  noStoreByDefault(app)
  await allowOrigins(app)
  addSecurityHeaders(app, {
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    strictTransportSecurity: ctx.config.publicUrl?.startsWith('https:') ?? false,
  })
  requireHttps(app, ctx.config)
  await app.register(underPressure, {
    maxEventLoopDelay: ctx.config.load.maxLagMs,
    pressureHandler: rejectUnderPressure,
  })
  const { config, metrics, log } = ctx
  shedLoad(app, { bounds: config.load, load, metrics, log })
  await app.register(cookie)
  parseBodies(app)
}
