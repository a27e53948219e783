import cookie from '@fastify/cookie'
import underPressure from '@fastify/under-pressure'
import Fastify, { LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { analyticsRoutes } from './analytics/routes.ts'
import { appointmentRoutes } from './appointments/routes.ts'
import { Challenges } from './chat/challenges.ts'
import { tenantRoutes } from './chat/routes.tenants.ts'
import { chatRoutes } from './chat/routes.ts'
import type { VisitorParts } from './chat/routes.visitor.ts'
import type { Context } from './context.ts'
import { showMe } from './credits/me.ts'
import { creditRoutes } from './credits/routes.ts'
import type { Sender } from './delivery/attempt.ts'
import { devHookRoutes } from './dev-hooks/routes.ts'
import { integrationRoutes } from './integrations/routes.ts'
import { guardRoutes } from './http/access.ts'
import type { App } from './http/app-type.ts'
import { assetRoutes } from './http/assets.ts'
import { parseBodies } from './http/bodies.ts'
import { keepPrivate } from './http/caching.ts'
import { Counters } from './http/counters.ts'
import { allowOrigins } from './http/cross-origin.ts'
import { answerProblems, refuseAddress, refuseNonsense } from './http/errors.ts'
import { fieldWords } from './http/field-words.ts'
import { ANY_HEAD, judgeHeads } from './http/heads.ts'
import { healthRoutes } from './http/health.ts'
import { openLimits } from './http/limits.ts'
import { measureRequests } from './http/metrics.ts'
import { answerUnknown } from './http/not-found.ts'
import { describeRoutes } from './http/openapi.ts'
import { refusePressure } from './http/pressure.ts'
import { requestIdOf, showRequestIds } from './http/request-ids.ts'
import { protectAnswers } from './http/security-headers.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { knowledgeRoutes } from './knowledge/routes.ts'
import { leadRoutes } from './leads/routes.ts'
import { plainRoutes } from './plain/routes.ts'
import { Callers } from './platform/callers.ts'
import { watchStreams } from './platform/open-streams.ts'
import type { Passwords } from './platform/passwords.ts'
import { type PlatformParts, platformRoutes } from './platform/routes.ts'
import { Tokens } from './platform/tokens.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { promptRoutes } from './prompts/routes.ts'
import { describedRules } from './rules/described-webhooks.ts'
import { ruleRoutes } from './rules/routes.ts'
import { describedSubscriptions } from './subscriptions/described-webhooks.ts'
import { subscriptionRoutes } from './subscriptions/routes.ts'
import { workspaceRoutes } from './workspace/routes.ts'

const MAX_EVENT_LOOP_DELAY_MS = 3_000
/** A request, head and body, has arrived by then, or its connection is closed. */
const REQUEST_TIMEOUT_MS = 30_000

/** The services of the HTTP layer; each slice takes those that its routes need. */
type SliceParts = VisitorParts & PlatformParts & { sender: Sender }

/** On a request: the slices that register routes, in the order of the API document. */
const SLICES: readonly ((app: App, ctx: Context, parts: SliceParts) => void | Promise<void>)[] = [
  platformRoutes,
  devHookRoutes,
  creditRoutes,
  workspaceRoutes,
  tenantRoutes,
  knowledgeRoutes,
  chatRoutes,
  plainRoutes,
  leadRoutes,
  inboxRoutes,
  appointmentRoutes,
  analyticsRoutes,
  privacyRoutes,
  promptRoutes,
  ruleRoutes,
  subscriptionRoutes,
  integrationRoutes,
]

interface AppParts {
  version: string
  redis: Redis | undefined
  passwords: Passwords
  sender: Sender
  isStopping: () => boolean
}

/** Opens the HTTP application. Refuses to start with a route that declares too little. */
export async function openApp(ctx: Context, parts: AppParts): Promise<App> {
  const { version, redis, passwords, sender, isStopping } = parts
  const app = createApp(ctx)
  await protect(app, ctx)
  const tokens = new Tokens(ctx.secrets, ctx.now)
  const counters = new Counters(ctx.now, redis)
  const limits = await openLimits(app, ctx.config.limits, counters, ctx.metrics)
  const challenges = new Challenges(ctx, counters)
  guardRoutes(app, new Callers(ctx, { tokens, passwords, limits }))
  watchStreams(app, ctx.streams)
  answerUnknown(app)
  const webhooks = { ...describedSubscriptions(), ...describedRules() }
  await describeRoutes(app, { version, webhooks })

  healthRoutes(app, ctx, isStopping)
  await assetRoutes(app)
  const shared = { tokens, passwords, limits, challenges, showMe, sender }
  for (const register of SLICES) await register(app, ctx, shared)
  return app
}

function createApp(ctx: Context): App {
  const app: App = Fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: ctx.config.trustedProxies.length > 0 ? ctx.config.trustedProxies : false,
    genReqId: requestIdOf,
    frameworkErrors: refuseAddress,
    clientErrorHandler: refuseNonsense,
    http: ANY_HEAD,
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: 200 },
  })
  z.config({ customError: fieldWords })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('caller', undefined)
  measureRequests(app, ctx.metrics)
  return app
}

/** Adds the hooks of all routes: problem documents, headers, CORS, backpressure, bodies, cookies. */
async function protect(app: App, ctx: Context): Promise<void> {
  answerProblems(app)
  showRequestIds(app)
  judgeHeads(app)
  keepPrivate(app)
  await allowOrigins(app)
  protectAnswers(app, {
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    strictTransportSecurity: ctx.config.publicUrl?.startsWith('https:') ?? false,
  })
  await app.register(underPressure, {
    maxEventLoopDelay: MAX_EVENT_LOOP_DELAY_MS,
    pressureHandler: refusePressure(ctx.now),
  })
  await app.register(cookie)
  parseBodies(app)
}
