import { z } from 'zod'
import type { Context } from '../context.ts'
import { constantTimeEqual } from '../lib/constant-time.ts'
import { PUBLIC } from './access.ts'
import { clientNetwork } from './addresses.ts'
import type { App } from './app-type.ts'
import { AppError } from './errors.ts'
import { collectRuntimeMetrics } from './metrics.ts'
import type { Limits } from './rate-limits.ts'

const OVERLOAD_RETRY_AFTER_SECONDS = 5
const open = { access: PUBLIC, pool: null } as const
const Status = z.object({ status: z.literal('ok') })
const ReadyStatus = Status.extend({
  warnings: z
    .array(z.object({ code: z.string(), detail: z.string() }))
    .optional()
    .describe(
      'Problems that need attention although the process is ready: `connections`, `redis` or `clock`',
    ),
})

/** Checks whether the process can serve requests. */
interface ReadinessCheck {
  judge(): Promise<{
    problem: string | undefined
    warnings: z.infer<typeof ReadyStatus>['warnings'] & {}
  }>
}

const live = {
  config: open,
  schema: { summary: 'The process runs', tags: ['Health'], response: { 200: Status } },
} as const

const ready = {
  config: open,
  schema: { summary: 'The process can answer', tags: ['Health'], response: { 200: ReadyStatus } },
} as const

const metrics = {
  config: { ...open, mayFail: ['unauthenticated', 'not_found', 'rate_limited'] },
  schema: { summary: 'Prometheus metrics', tags: ['Health'], produces: ['text/plain'] },
} as const

/** Registers the health checks, and the metrics for scrapers with `METRICS_TOKEN`. */
export function healthRoutes(
  app: App,
  ctx: Context,
  {
    limits,
    readiness,
    isStopping,
  }: { limits: Limits; readiness: ReadinessCheck; isStopping: () => boolean },
): void {
  const registry = ctx.metrics
  collectRuntimeMetrics(registry)
  app.addHook('onClose', async () => registry.clear())

  app.get('/health/live', live, async () => ({ status: 'ok' as const }))

  app.get('/health/ready', ready, async () => {
    if (isStopping()) throw unavailable('The process is stopping.')
    const { problem, warnings } = await readiness.judge()
    if (problem !== undefined) throw unavailable(problem)
    return { status: 'ok' as const, ...(warnings.length > 0 ? { warnings } : {}) }
  })

  app.get('/metrics', metrics, async (request, reply) => {
    const { metricsToken } = ctx.config
    if (metricsToken === undefined) {
      throw new AppError('not_found', 'This address does not exist.')
    }
    if (!constantTimeEqual(request.headers.authorization, `Bearer ${metricsToken}`)) {
      await limits.count('wrong-metrics-token', clientNetwork(request), reply)
      throw new AppError('unauthenticated', 'Send METRICS_TOKEN as `Authorization: Bearer`.', {
        headers: { 'www-authenticate': 'Bearer' },
      })
    }
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** Not logged for each probe: `Readiness` logs a problem when it begins, and a stop is none. */
function unavailable(detail: string): AppError {
  return new AppError('unavailable', detail, { headers: { 'retry-after': '5' }, isLogged: true })
}

/**
 * Answers for the backpressure plugin: 503 while the event loop lags. `Infinity` means that nothing was
 * measured yet: the start took the whole first second, and the process is free now.
 */
export async function rejectUnderPressure(
  { url = '' }: { url?: string },
  _reply: unknown,
  _kind: string,
  measured: number | undefined,
): Promise<void> {
  // A supervisor would restart a process that reports itself dead, which helps nobody.
  if (url === '/health/live' || url === '/metrics') return
  if (measured === Infinity) return
  throw new AppError('overloaded', 'The service is temporarily unavailable. Try again shortly.', {
    headers: { 'retry-after': String(OVERLOAD_RETRY_AFTER_SECONDS) },
  })
}
