import { z } from 'zod'
import { publicEvent, SAMPLE_TIME } from './descriptor.ts'

const Payment = {
  tenant_id: z.string().nullable(),
  provider: z.string(),
  payment_id: z.string(),
  /** In the currency's smallest unit. */
  amount: z.int(),
  currency: z.string(),
  customer_email: z.string().nullable(),
}
const PAYMENT = {
  tenant_id: 'demo',
  provider: 'stripe',
  amount: 129_900,
  currency: 'TRY',
  customer_email: 'ayse@example.com',
}
const MONTH_START = '2026-12-01T00:00:00.000Z'
const PLAN = 'klinik_pro'

/** Events of payments and of the plans that payments buy. */
export const paymentEvents = {
  'payment.succeeded': publicEvent(
    {
      data: z.object({ ...Payment, paid_at: z.string() }),
      sample: { ...PAYMENT, payment_id: 'pi_3PqXw5kJd0LpYcGh', paid_at: SAMPLE_TIME },
    },
    { rulePriority: 'critical' },
  ),
  'payment.failed': publicEvent(
    {
      data: z.object({ ...Payment, reason: z.string(), failed_at: z.string() }),
      sample: {
        ...PAYMENT,
        payment_id: 'pi_3ZtVn8RqXw5kJd0L',
        reason: 'card_declined',
        failed_at: SAMPLE_TIME,
      },
    },
    { rulePriority: 'critical' },
  ),
  'subscription.plan_changed': publicEvent(
    {
      data: z.object({
        previous_plan: z.string(),
        plan: z.string(),
        change: z.enum(['upgrade', 'downgrade', 'cancellation']),
        changed_at: z.string(),
      }),
      sample: { previous_plan: 'starter', plan: PLAN, change: 'upgrade', changed_at: SAMPLE_TIME },
    },
    { rulePriority: 'high' },
  ),
}

/** Events of a workspace's month: its credits, and its plan at the end of the month. */
export const monthEvents = {
  /** Less is left than the workspace's own low mark. */
  'credits.warning': {
    data: z.object({ remaining: z.number(), warning: z.number(), reset_at: z.string() }),
  },
  'quota.threshold_reached': publicEvent(
    {
      data: z.object({
        threshold: z.number(),
        used: z.number(),
        monthly_limit: z.number(),
        reset_at: z.string(),
      }),
      sample: { threshold: 0.8, used: 16_000, monthly_limit: 20_000, reset_at: MONTH_START },
    },
    { rulePriority: 'medium' },
  ),
  'credits.low': publicEvent(
    {
      data: z.object({
        remaining: z.number(),
        monthly_limit: z.number(),
        addons: z.number(),
        reset_at: z.string(),
      }),
      sample: { remaining: 1_900, monthly_limit: 20_000, addons: 0, reset_at: MONTH_START },
    },
    { publicName: 'credits.low' },
  ),
  'subscription.renewed': publicEvent(
    {
      data: z.object({ plan: z.string(), period_start: z.string(), period_end: z.string() }),
      sample: { plan: PLAN, period_start: MONTH_START, period_end: '2027-01-01T00:00:00.000Z' },
    },
    { publicName: 'subscription.renewed' },
  ),
  'subscription.cancelled': publicEvent(
    {
      data: z.object({ plan: z.string(), ends_at: z.string() }),
      sample: { plan: PLAN, ends_at: MONTH_START },
    },
    { publicName: 'subscription.cancelled' },
  ),
}
