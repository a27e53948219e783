/** English strings of notifications to members, by mail and by push. */
export const en = {
  /** The language of these strings. */
  language: 'en',
  hello: (name: string) => (name ? `Hello ${name},` : 'Hello,'),
  /** The occasion in one line: the subject of a mail, a line of a digest, and a push message. */
  lead: (at: { site: string; who: string }) => `New contact at ${at.site}: ${at.who}`,
  handoff: (at: { site: string }) => `A visitor of ${at.site} is asking for a person`,
  waiting: (at: { site: string }) => `A visitor of ${at.site} is waiting for an answer`,
  credits: (at: { remaining: string }) => `Credits are running low: ${at.remaining} left`,
  webhooks: (at: { host: string }) => `Webhook to ${at.host} is disabled`,
  digest: (count: number) =>
    `Sohbet: ${count === 1 ? 'one notification' : `${count} notifications`}`,
  others: (count: number) => `… and ${count} more. They are in the inbox.`,
  creditsText: (at: { remaining: string; limit: string; resetAt: string }) =>
    `${at.remaining} of ${at.limit} credits are left until ${at.resetAt}. Without credits the assistant cannot answer; visitors can still leave their contact details.`,
  lastLines: 'The last lines of the conversation:',
  visitor: 'Visitor',
  assistant: 'Assistant',
  operator: 'Operator',
  answerHere: 'Reply here:',
  openHere: 'Open:',
  chooseHere: 'Choose which notifications you get:',
  /** The mail about a disabled webhook. */
  webhook: {
    subject: (at: Disabled) => `Webhook to ${at.host} is disabled`,
    exhausted: (at: Disabled) => `Hello${at.name ? ` ${at.name}` : ''},

Seven attempts to deliver an event to ${at.host} have failed, so this webhook is disabled (${at.id}).

Nothing is lost: what failed is kept for 30 days, and events that occur from now on for 7 days. When the receiver works again, press "Retry" in the panel, or send POST /api/v1/webhooks/${at.id}/retry: everything then goes out again.
`,
    gone: (at: Disabled) => `Hello${at.name ? ` ${at.name}` : ''},

Your receiver at ${at.host} answered a delivery with 410 (gone), so this webhook is disabled (${at.id}).

If you do not need it any more, delete it. If the receiver is back, press "Retry" in the panel, or send POST /api/v1/webhooks/${at.id}/retry: what failed, and the events of the last 7 days, then go out again.
`,
  },
}

interface Disabled {
  name: string
  host: string
  id: string
}

export type NotificationStrings = typeof en
