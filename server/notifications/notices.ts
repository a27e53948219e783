import { z } from 'zod'
import { type NotificationStrings, en } from '../locales/notification.en.ts'
import { tr } from '../locales/notification.tr.ts'

/** Stored with a notification about credits. */
export const CreditsNotice = z.object({
  remaining: z.number(),
  monthly_limit: z.number(),
  reset_at: z.string(),
})
export type CreditsNotice = z.infer<typeof CreditsNotice>

/** Stored with a notification about a webhook. Paths of webhook URLs often hold secrets. */
export const WebhookNotice = z.object({
  id: z.string(),
  host: z.string(),
  why: z.enum(['gone', 'exhausted']),
})
export type WebhookNotice = z.infer<typeof WebhookNotice>

/** Returns the texts of notifications: Turkish for `tr` and its regions, else English. */
export function notificationStrings(locale: string): NotificationStrings {
  return /^tr\b/i.test(locale) ? tr : en
}
