import type { Metric, SubjectKind } from './schema.ts'

interface AnalyticsDaysTable extends Record<Metric, number> {
  workspace_id: string
  tenant_id: string
  /** A day in the workspace's time zone, such as `2027-06-15`. */
  day: string
}

interface AnalyticsSubjectsTable {
  workspace_id: string
  kind: SubjectKind
  day: string
  tenant_id: string
  subject: string
  count: number
  /** The sum of the measured values; 0 for kinds without values. */
  amount: number
}

interface AnalyticsWaitsTable {
  session_id: string
  workspace_id: string
  /** Start of the visitor's wait for an operator. */
  since: number
}

declare module '../storage/database.ts' {
  interface Tables {
    analytics_days: AnalyticsDaysTable
    analytics_subjects: AnalyticsSubjectsTable
    analytics_waits: AnalyticsWaitsTable
  }
}

export type { AnalyticsDaysTable }
