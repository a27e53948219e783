import { z } from 'zod'
import type { Feature } from '../../http/access.ts'

export const PlanId = z.enum(['starter', 'klinik_pro', 'ajans_pro', 'eticaret_pro', 'enterprise'])
export type PlanId = z.infer<typeof PlanId>

interface Plan {
  /** Whole credits a month. */
  monthlyCredits: number
  features: readonly Feature[]
  hasApiKeys: boolean
  isLimited: boolean
}

const STARTER_FEATURES = ['prompts', 'chatbot'] as const
const ALL_FEATURES = ['prompts', 'bots', 'chatbot', 'social', 'memory'] as const
const pro = { features: ALL_FEATURES, hasApiKeys: true, isLimited: true }

/** The order of plans; the three Pro plans have the same rank. */
export const PLAN_RANKS: Record<PlanId, 0 | 1 | 2> = {
  starter: 0,
  klinik_pro: 1,
  ajans_pro: 1,
  eticaret_pro: 1,
  enterprise: 2,
}

/**
 * The plans of the platform spec. Enterprise's credits are the default of a setting per workspace.
 */
export const PLANS: Record<PlanId, Plan> = {
  starter: { monthlyCredits: 500, features: STARTER_FEATURES, hasApiKeys: false, isLimited: true },
  klinik_pro: { monthlyCredits: 20_000, ...pro },
  ajans_pro: { monthlyCredits: 40_000, ...pro },
  eticaret_pro: { monthlyCredits: 30_000, ...pro },
  enterprise: { ...pro, monthlyCredits: 100_000, isLimited: false },
}
