import { Cron } from 'croner'
import { Gauge } from 'prom-client'
import { expireActionCalls } from './actions/calls.ts'
import { expireClientUsage } from './chat/turn/daily-cap.ts'
import { expireUsedNonces } from './chat/visitor/proof-of-work.ts'
import { attendWaiting } from './chat/handoff/waiting.ts'
import { expireMailCounters } from './mail/limits.ts'
import { expireSessionEvents } from './chat/session/session-events.ts'
import type { Context } from './context.ts'
import { startDueMonths } from './credits/month-rollover.ts'
import { releaseLapsedHolds } from './credits/lapsed-holds.ts'
import { expireAttempts, expireDeadLetters, expireRecoveries } from './delivery/queue/retention.ts'
import { mailReplies } from './inbox/reply-mails.ts'
import { expireInbound } from './integrations/inbound-queue.ts'
import { wakeSessions } from './inbox/triage.ts'
import { JobPeriods } from './jobs/job-periods.ts'
import { expireUnanswered } from './knowledge/unanswered/unanswered.ts'
import { expireStoredResponses } from './platform/idempotency.ts'
import { expireAudit } from './platform/audit/audit.ts'
import { expireEmailChanges } from './platform/account/email-changes.ts'
import { expireInvitations } from './platform/members/invitations.ts'
import { expireMails } from './mail/mail.ts'
import { expireConversations } from './privacy/erasure.ts'
import { expireRunInputs } from './privacy/run-inputs.ts'
import { expireImages } from './prompts/runs/images.ts'
import { expireResets } from './platform/auth/password-resets.ts'
import { reencryptSecrets } from './platform/secrets/key-rotation.ts'
import { cachedCount } from './storage/shared-counts.ts'
import { eraseClosedWorkspaces } from './workspaces/closing.ts'

/**
 * The scheduled jobs. Each runs once in a period over all processes, and is nevertheless safe to run in
 * several at once: a process that froze may go on while another has begun.
 */
const JOBS: readonly {
  name: string
  when: string
  run: (ctx: Context) => Promise<void>
  /** Runs at the start too, because work may have come due while no process ran. */
  isDueAtStart?: boolean
}[] = [
  { name: 'release-lapsed-holds', when: '*/15 * * * * *', run: releaseLapsedHolds },
  { name: 'attend-waiting', when: '*/5 * * * * *', run: attendWaiting, isDueAtStart: true },
  { name: 'mail-replies', when: '*/15 * * * * *', run: mailReplies },
  { name: 'begin-months', when: '1 * * * * *', run: startDueMonths, isDueAtStart: true },
  { name: 'wake-sessions', when: '31 * * * * *', run: wakeSessions, isDueAtStart: true },
  { name: 'expire-action-calls', when: '41 * * * * *', run: expireActionCalls },
  { name: 'expire-answers', when: '0 7 * * * *', run: expireStoredResponses },
  { name: 'expire-images', when: '0 37 * * * *', run: expireImages },
  { name: 'expire-run-inputs', when: '0 34 * * * *', run: expireRunInputs },
  { name: 'expire-dead-letters', when: '0 17 * * * *', run: expireDeadLetters },
  { name: 'expire-audit', when: '0 47 3 * * *', run: expireAudit },
  { name: 'expire-invitations', when: '0 52 3 * * *', run: expireInvitations },
  { name: 'expire-resets', when: '0 57 * * * *', run: expireResets },
  { name: 'expire-email-changes', when: '0 52 * * * *', run: expireEmailChanges },
  { name: 'expire-mails', when: '0 37 * * * *', run: expireMails },
  { name: 'expire-unanswered', when: '0 42 * * * *', run: expireUnanswered },
  { name: 'expire-attempts', when: '0 27 * * * *', run: expireAttempts },
  { name: 'reseal-secrets', when: '0 3,33 * * * *', run: reencryptSecrets },
  { name: 'expire-recoveries', when: '0 37 * * * *', run: expireRecoveries },
  { name: 'expire-session-events', when: '0 47 * * * *', run: expireSessionEvents },
  { name: 'expire-inbound', when: '0 12 * * * *', run: expireInbound },
  { name: 'expire-conversations', when: '0 22 * * * *', run: expireConversations },
  { name: 'expire-mail-limits', when: '0 32 * * * *', run: expireMailCounters },
  { name: 'expire-daily-shares', when: '0 37 * * * *', run: expireClientUsage },
  { name: 'expire-challenges', when: '0 2 * * * *', run: expireUsedNonces },
  { name: 'erase-workspaces', when: '0 14 * * * *', run: eraseClosedWorkspaces },
]

/** Starts the scheduled jobs; the returned function stops them. */
export function startJobs(ctx: Context): () => void {
  const periods = new JobPeriods(ctx)
  exposeSuccesses(ctx, periods)
  const fail = (name: string) => (error: unknown) => {
    if (ctx.outage.note(error)) return
    ctx.log.error({ event: 'schedule.job_failed', job: name, err: error }, 'scheduled job failed')
  }
  const crons = JOBS.map(({ name, when, run, isDueAtStart }) => {
    // One time zone for all processes: a period has the same start in each.
    const options = { unref: true, utcOffset: 0, catch: fail(name) }
    const runPeriod = (cron: Cron, period: number) =>
      periods.run(name, period, () => run(ctx), cron.nextRun(new Date(period))?.getTime())
    const cron = new Cron(when, options, (self: Cron) =>
      runPeriod(self, nearestStart(self, ctx.now())),
    )
    if (isDueAtStart) void runPeriod(cron, lastStart(cron, ctx.now())).catch(fail(name))
    return cron
  })
  return () => {
    for (const cron of crons) cron.stop()
  }
}

/** Returns the start of the period at a time. */
function lastStart(cron: Cron, time: number): number {
  // The search leaves the reference itself out.
  return cron.previousRuns(1, new Date(time + 1))[0]?.getTime() ?? 0
}

/**
 * Returns the start that is nearest to a time. The timer follows the clock of this machine, which may be
 * a little ahead of the clock that processes share: it then means the period that begins.
 */
function nearestStart(cron: Cron, time: number): number {
  const last = lastStart(cron, time)
  const next = cron.nextRun(new Date(time))?.getTime() ?? Infinity
  return next - time < time - last ? next : last
}

/** Exposes when each job last succeeded, whichever process ran it. */
function exposeSuccesses(ctx: Context, periods: JobPeriods): void {
  const successes = cachedCount(ctx, () => periods.lastSuccesses())
  const gauge = new Gauge({
    name: 'sohbet_job_last_success_timestamp_seconds',
    help: 'When each scheduled job last succeeded in any process, since 1970',
    labelNames: ['name'],
    registers: [ctx.metrics],
    async collect() {
      gauge.reset()
      const found = await successes()
      for (const { name } of JOBS) {
        const at = found?.get(name)
        if (at !== undefined) gauge.set({ name }, at / 1000)
      }
    },
  })
}
