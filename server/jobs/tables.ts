/** A job of the cron table, as the processes of an installation share it. */
interface ScheduledJobsTable {
  name: string
  /** The start of the last period that a process claimed. */
  period: number
  lease_token: string | null
  /** While the job runs; an expired lease is of a process that died. */
  lease_until: number | null
  /** The end of the last run that did not fail. */
  succeeded_at: number | null
}

declare module '../storage/database.ts' {
  interface Tables {
    scheduled_jobs: ScheduledJobsTable
  }
}
