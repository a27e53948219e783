/** The answer of `GET /api/v1/overview`. */
export interface Overview {
  waiting: number
  leads_today: number
  appointments_today: number
  /** Of the last seven days, 0–1; null without questions. */
  answered_rate: number | null
  unanswered: { tenant_id: string; question: string; count: number }[]
  credits: {
    remaining: number
    monthly_limit: number
    addons: number
    reset_at: string
    /** At the pace of the last days; null without use. */
    days_left: number | null
  }
  checklist: Record<Step, boolean>
}

export const STEPS = ['site', 'knowledge', 'asked', 'installed', 'team'] as const
export type Step = (typeof STEPS)[number]
