import { analyticsRoutes } from './analytics/routes.ts'
import { appointmentPageRoutes } from './appointments/routes.page.ts'
import { appointmentRoutes } from './appointments/routes.ts'
import { visitorAppointmentRoutes } from './appointments/routes.visitor.ts'
import cookie from '@fastify/cookie'
import underPressure from '@fastify/under-pressure'
import Fastify, { LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { Challenges } from './chat/challenges.ts'
import { liveRoutes } from './chat/routes.live.ts'
import { identityRoutes } from './chat/routes.identity.ts'
import { messageRoutes } from './chat/routes.message.ts'
import { sessionRoutes } from './chat/routes.session.ts'
import { tenantRoutes } from './chat/routes.tenants.ts'
import { visitorRoutes } from './chat/routes.visitor.ts'
import type { Context } from './context.ts'
import { showMe } from './credits/me.ts'
import { creditRoutes } from './credits/routes.ts'
import { ledgerRoutes } from './credits/routes.ledger.ts'
import { usageRoutes } from './credits/routes.usage.ts'
import type { Sender } from './delivery/attempt.ts'
import { devHookRoutes } from './dev-hooks/routes.ts'
import { guardRoutes } from './http/access.ts'
import type { App } from './http/app-type.ts'
import { assetRoutes } from './http/assets.ts'
import { parseBodies } from './http/bodies.ts'
import { keepPrivate } from './http/caching.ts'
import { Counters } from './http/counters.ts'
import { allowOrigins } from './http/cross-origin.ts'
import { fieldWords } from './http/field-words.ts'
import { answerProblems, refuseAddress, refuseNonsense } from './http/errors.ts'
import { ANY_HEAD, judgeHeads } from './http/heads.ts'
import { healthRoutes } from './http/health.ts'
import { openLimits } from './http/limits.ts'
import { measureRequests } from './http/metrics.ts'
import { answerUnknown } from './http/not-found.ts'
import { describeRoutes } from './http/openapi.ts'
import { refusePressure } from './http/pressure.ts'
import { requestIdOf, showRequestIds } from './http/request-ids.ts'
import { protectAnswers } from './http/security-headers.ts'
import { cannedReplyRoutes } from './inbox/routes.canned.ts'
import { integrationRoutes } from './hooks/routes.ts'
import { hookRoutes } from './hooks/routes.hooks.ts'
import { postRoutes } from './hooks/routes.posts.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { knowledgeRoutes } from './knowledge/routes.ts'
import { unansweredRoutes } from './knowledge/routes.unanswered.ts'
import { leadRoutes } from './leads/routes.ts'
import { Callers } from './platform/callers.ts'
import { LoginFailures } from './platform/login-failures.ts'
import { watchStreams } from './platform/open-streams.ts'
import type { Passwords } from './platform/passwords.ts'
import { accountPageRoutes } from './platform/routes.account-pages.ts'
import { auditRoutes } from './platform/routes.audit.ts'
import { authRoutes } from './platform/routes.auth.ts'
import { keyRoutes } from './platform/routes.keys.ts'
import { devMailRoutes } from './platform/routes.mail.ts'
import { memberRoutes } from './platform/routes.members.ts'
import { passwordRoutes } from './platform/routes.passwords.ts'
import { Tokens } from './platform/tokens.ts'
import { executeRoutes } from './prompts/routes.execute.ts'
import { plainRoutes } from './plain/routes.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { promptRoutes } from './prompts/routes.ts'
import { runRoutes } from './prompts/routes.runs.ts'
import { describedRules } from './rules/described-webhooks.ts'
import { rulesRoutes } from './rules/routes.ts'
import { workspaceRoutes } from './workspace/routes.ts'
import { describedSubscriptions } from './subscriptions/described-webhooks.ts'
import { subscriptionRoutes } from './subscriptions/routes.ts'

const LONGEST_DELAY_MS = 3_000
/** A request, head and body, has arrived by then, or its connection is closed. */
const LONGEST_REQUEST_MS = 30_000

interface Surroundings {
  version: string
  redis: Redis | undefined
  passwords: Passwords
  sender: Sender
  isStopping: () => boolean
}

/** On a request: which slice answers. Refuses to start with a route that declares too little. */
export async function openApp(ctx: Context, around: Surroundings): Promise<App> {
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
    requestTimeout: LONGEST_REQUEST_MS,
    routerOptions: { maxParamLength: 200 },
  })
  z.config({ customError: fieldWords })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('caller', undefined)
  measureRequests(app, ctx.metrics)
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
    maxEventLoopDelay: LONGEST_DELAY_MS,
    pressureHandler: refusePressure(ctx.now),
  })
  await app.register(cookie)
  parseBodies(app)
  const tokens = new Tokens(ctx.secrets, ctx.now)
  const { passwords } = around
  const counters = new Counters(ctx.now, around.redis)
  const limits = await openLimits(app, ctx.config.limits, counters, ctx.metrics)
  const challenges = new Challenges(ctx, counters)
  guardRoutes(app, new Callers(ctx, { tokens, passwords, limits }))
  watchStreams(app, ctx.streams)
  answerUnknown(app)
  const webhooks = { ...describedSubscriptions(), ...describedRules() }
  await describeRoutes(app, { version: around.version, webhooks })

  healthRoutes(app, ctx, around.isStopping)
  await assetRoutes(app)
  devMailRoutes(app, ctx)
  const failures = new LoginFailures(ctx)
  authRoutes(app, ctx, { tokens, passwords, limits, failures, showMe })
  passwordRoutes(app, ctx, { passwords, limits })
  accountPageRoutes(app, ctx, { passwords, limits })
  keyRoutes(app, ctx, passwords)
  memberRoutes(app, ctx, { passwords, limits })
  auditRoutes(app, ctx)
  await devHookRoutes(app, ctx)
  creditRoutes(app, ctx, passwords)
  ledgerRoutes(app, ctx)
  usageRoutes(app, ctx)
  workspaceRoutes(app, ctx)
  tenantRoutes(app, ctx)
  await knowledgeRoutes(app, ctx)
  unansweredRoutes(app, ctx)
  visitorRoutes(app, ctx, { tokens, limits, challenges })
  messageRoutes(app, ctx)
  plainRoutes(app, ctx, { tokens, limits, challenges })
  identityRoutes(app, ctx)
  liveRoutes(app, ctx)
  sessionRoutes(app, ctx)
  leadRoutes(app, ctx)
  inboxRoutes(app, ctx)
  cannedReplyRoutes(app, ctx)
  visitorAppointmentRoutes(app, ctx)
  appointmentRoutes(app, ctx)
  appointmentPageRoutes(app, ctx)
  await analyticsRoutes(app, ctx, { limits })
  privacyRoutes(app, ctx)
  promptRoutes(app, ctx)
  executeRoutes(app, ctx)
  runRoutes(app, ctx)
  rulesRoutes(app, ctx, around.sender)
  subscriptionRoutes(app, ctx, around.sender)
  integrationRoutes(app, ctx)
  hookRoutes(app, ctx)
  postRoutes(app, ctx)
  return app
}
