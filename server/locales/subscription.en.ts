/** English strings of the mail about a disabled webhook. */
export const en = {
  subject: (at: Disabled) => `Webhook to ${at.host} is disabled`,
  exhausted: (at: Disabled) => `Hello${at.name ? ` ${at.name}` : ''},

Seven attempts to deliver an event to ${at.host} have failed, so this webhook is disabled (${at.id}).

Nothing is lost: what failed is kept for 30 days, and events that occur from now on for 7 days. When the receiver works again, press "Retry" in the panel, or send POST /api/v1/webhooks/${at.id}/retry: everything then goes out again.
`,
  gone: (at: Disabled) => `Hello${at.name ? ` ${at.name}` : ''},

Your receiver at ${at.host} answered a delivery with 410 (gone), so this webhook is disabled (${at.id}).

If you do not need it any more, delete it. If the receiver is back, press "Retry" in the panel, or send POST /api/v1/webhooks/${at.id}/retry: what failed, and the events of the last 7 days, then go out again.
`,
}

interface Disabled {
  name: string
  host: string
  id: string
}

export type SubscriptionStrings = typeof en
