import { NotificationPreferences } from './schema.ts'

/** By default a member receives every notification at once. */
const DEFAULTS: NotificationPreferences = {
  email: { lead: 'now', handoff: 'now', waiting: 'now', credits: 'now', webhooks: 'now' },
  push: { lead: true, handoff: true, waiting: true, credits: true, webhooks: true },
}

/** Returns a member's preferences, given the stored row; the defaults without one. */
export function parsePreferences(row: {
  email: string | null
  push: string | null
}): NotificationPreferences {
  if (row.email === null || row.push === null) return DEFAULTS
  return NotificationPreferences.parse({
    email: { ...DEFAULTS.email, ...JSON.parse(row.email) },
    push: { ...DEFAULTS.push, ...JSON.parse(row.push) },
  })
}
