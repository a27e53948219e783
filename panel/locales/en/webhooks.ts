import type { PlatformEvent } from '../../../server/subscriptions/schema.ts'
import type { Integration } from '../../../server/integrations/schema.ts'
import type { RuleEvent } from '../../../server/rules/schema.ts'
import { words as attempts } from './parts/attempts.ts'

const platformEvents: Record<PlatformEvent, string> = {
  'prompt.executed': 'A prompt has run',
  'prompt.failed': 'A prompt failed',
  'chatbot.message': 'A visitor wrote',
  'chatbot.lead': 'A lead was captured',
  'social.post.published': 'A post was published',
  'social.comment.received': 'A comment arrived',
  'social.dm.received': 'A direct message arrived',
  'credits.low': 'Credits are running low',
  'subscription.renewed': 'The plan was renewed',
  'subscription.cancelled': 'The plan was cancelled',
}

const ruleEvents: Record<RuleEvent, string> = {
  'session.started': 'A conversation was opened',
  'lead.created': 'A lead is complete',
  'appointment.created': 'An appointment was booked',
  'payment.succeeded': 'A payment succeeded',
  'payment.failed': 'A payment failed',
  'subscription.plan_changed': 'The plan changed',
  'handoff.requested': 'A visitor waits for a person',
  'quota.threshold_reached': '80 % of the credits are used',
  'appointment.changed': 'An appointment was moved',
  'appointment.cancelled': 'An appointment was cancelled',
  'session.closed': 'A conversation was ended',
  'feedback.given': 'A visitor gave a rating',
  'operator.message': 'A colleague answered',
}

interface Setup {
  title: string
  /** Requirements before it can be connected. */
  before: string
  steps: string[]
}

const setup: Record<Integration['kind'], Setup> = {
  whatsapp: {
    title: 'Set up WhatsApp',
    before:
      'In the Meta app, WhatsApp → API setup shows the phone number id. Make a permanent token of a system user with whatsapp_business_messaging; the app secret is under App settings → Basic.',
    steps: [
      'Open your Meta app: WhatsApp → Configuration.',
      'Enter the address as callback URL and the secret as verify token.',
      'Subscribe to “messages”.',
      'Write to your number: the message appears below and in the inbox.',
    ],
  },
  telegram: {
    title: 'Set up Telegram',
    before: 'Write to @BotFather, make a bot, and paste its token here.',
    steps: [
      'Register the address and the secret with Telegram: call setWebhook with url and secret_token.',
      'Allow the updates “message”.',
      'Write to your bot: the message appears below and in the inbox.',
    ],
  },
  meta: {
    title: 'Set up Facebook and Instagram',
    before:
      'One integration per account. The token is that of the page, with pages_messaging, pages_manage_metadata and pages_read_engagement.',
    steps: [
      'Open your Meta app: Webhooks.',
      'Enter the address as callback URL and the secret as verify token.',
      'Subscribe to “feed” and “messages” of the page, or to “comments” and “messages” of Instagram.',
      'Write to the page: the message appears below and in the inbox.',
    ],
  },
  stripe: {
    title: 'Set up Stripe',
    before: 'Connect first; Stripe gives its signing secret once its endpoint exists.',
    steps: [
      'In Stripe, open Developers → Webhooks and add an endpoint with this address.',
      'Choose checkout.session.completed, checkout.session.async_payment_succeeded, checkout.session.async_payment_failed, invoice.paid, invoice.payment_failed, customer.subscription.updated and customer.subscription.deleted.',
      'Copy the signing secret of the endpoint and enter it here with Edit.',
      'Send a test event from Stripe: it appears below.',
    ],
  },
  generic: {
    title: 'Set up your own program',
    before: 'For payments and social events of your own systems.',
    steps: [
      'Send JSON like {"id": "order-7", "event": "payment.succeeded", "data": {…}} to the address.',
      'Sign it: X-SVC-Timestamp in Unix seconds, and X-SVC-Signature: sha256=HMAC-SHA-256 over timestamp, a dot and the body.',
      'Repeat a call that got no 200 with the same id: it counts once.',
    ],
  },
}

const deliveryStates: Record<string, string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  held: 'Held',
  delivered: 'Delivered',
  failed: 'Failed',
  dead_letter: 'Dead letter',
  cancelled: 'Cancelled',
  expired: 'Expired',
}

const settings: Record<string, string> = {
  phone_number_id: 'Phone number id',
  access_token: 'Access token',
  app_secret: 'App secret',
  bot_token: 'Bot token',
  account_id: 'Account id',
  signing_secret: 'Signing secret',
}
const settingHints: Record<string, string> = {
  signing_secret: 'Begins with whsec_. It can follow later.',
  bot_token: 'As @BotFather gives it, such as 123456:AA…',
}

export const words = {
  title: 'Webhooks',
  tabs: {
    subscriptions: 'Subscriptions',
    rules: 'Rules',
    'dead-letters': 'Dead letters',
    integrations: 'Integrations',
  },
  leads: {
    subscriptions: 'Tell other systems about events of the platform, several to one address.',
    rules: 'Tell other systems about events of the chat, where your conditions hold.',
    'dead-letters': 'What rules could not deliver. It is kept for 7 days and can be sent again.',
    integrations: 'Messaging apps, payment providers and programs of your own.',
  },
  platformEvents,
  ruleEvents,
  attempts,
  deliveryStates,
  columns: {
    event: 'Event',
    state: 'State',
    lastAttempt: 'Last attempt',
    created: 'When',
    added: 'Added',
    action: 'Action',
    rule: 'Rule',
    died: 'Failed',
    lastDay: 'Last day',
    kind: 'Kind',
    id: 'Id',
    error: 'Error',
    conversation: 'Conversation',
  },
  address: 'Address',
  events: 'Events',
  allEvents: 'All events',
  allRules: 'All rules',
  secret: 'Secret',
  addAction: 'Add',
  edit: 'Edit',
  remove: 'Delete',
  refresh: 'Refresh',
  moreActions: 'More actions',
  open: 'Open',
  works: 'Works',
  switchedOff: 'Switched off',
  disabled: 'Disabled',
  disabledTitle: 'Nothing is sent to this address at the moment.',
  disabledReasons: {
    ping: 'It did not answer the ping with a 2xx.',
    gone: 'It answered 410: it wants no more events.',
    exhausted: 'The last retry of a delivery failed.',
  },
  disabledSince: (at: string) => `Disabled since ${at}.`,
  disabledHint:
    'Events are kept for 7 days. Repair the receiver, then try again: once it answers, everything goes out.',
  tryAgain: 'Try again',
  answersAgain: (count: number, shown: string) =>
    count === 0
      ? 'The address answers again.'
      : count === 1
        ? 'The address answers again. One delivery goes out.'
        : `The address answers again. ${shown} deliveries go out.`,
  stillSilent: (why: string) => `The address still does not answer as it should: ${why}.`,
  addSubscription: 'Add subscription',
  noSubscriptions: 'No subscriptions yet',
  noSubscriptionsText:
    'Enter the https address of your system and choose events. It gets a signed request for each.',
  subscriptionAddressHint: 'An https address. It gets a ping at once and has to answer with 2xx.',
  ownSecretHint: (least: string) =>
    `At least ${least} characters. Left empty, a strong one is made and shown once.`,
  switchLabel: 'Send events',
  switchHint: 'Events that happen while this is off are never sent.',
  addRule: 'Add rule',
  noRules: 'No rules yet',
  noRulesText: 'Make one, for example: every complete lead of one site goes to the CRM.',
  ruleName: 'Name',
  ruleAddressHint: 'An https address that answers with 2xx within 10 s.',
  conditions: 'Conditions',
  conditionsHint: 'All that are given have to hold when the event happens.',
  minConfidence: 'Least confidence',
  minConfidenceHint: '0 to 1, of leads, appointments and handoffs.',
  sector: 'Sector',
  source: 'Source',
  sourceHint: 'Such as widget_form, conversation or whatsapp.',
  secretTitle: 'Keep this secret',
  secretOnce: 'It is shown only now. Put it where your receiver reads its settings.',
  standardSecret: 'The same secret for libraries of Standard Webhooks:',
  standardSecretLabel: 'Secret for Standard Webhooks',
  oldSecretStays: 'The old secret signs beside it for 24 hours, so that nothing is lost.',
  verifyTitle: 'Verify what arrives',
  verifyText: 'Check every request with the secret before you believe it.',
  secretKept: 'I have kept it',
  test: 'Send a test',
  testTitle: 'Test',
  testArrived: 'The sample has arrived.',
  testFailed: 'The sample was not taken. Look at the answer, repair the receiver and send again.',
  rotate: 'Replace secret',
  rotateAction: 'Replace',
  rotateText: 'A new secret is made and shown once. The old one signs beside it for 24 hours.',
  removeTitle: 'Delete for good?',
  removeText: (url: string) =>
    `${url} gets nothing any more, and what waits for it is dropped. The history stays for 30 days.`,
  deliveries: 'Deliveries',
  noDeliveries: 'Nothing here',
  noDeliveriesText: 'Each event that is sent appears here with all its attempts, for 30 days.',
  nextAttempt: 'Next attempt',
  body: 'Body',
  bodyDeleted: 'The body is deleted once a delivery is over: visitors’ words may be in it.',
  sendAgain: 'Send again',
  sendAllAgain: 'Send all again',
  sendSelected: (count: number, shown: string) =>
    count === 1 ? 'Send 1 again' : `Send ${shown} again`,
  sentAgain: (count: number, shown: string) =>
    count === 0
      ? 'There was nothing to send again.'
      : count === 1
        ? 'It goes out again.'
        : `${shown} go out again.`,
  cannotSendAgain: 'This one cannot be sent again: it has arrived, is under way or was a test.',
  letterIsOver: 'Not sent: its rule is switched off or deleted, or it is under way already.',
  select: (id: string) => `Select ${id}`,
  recover: 'Send again since a time',
  recoverTitle: 'Send again what failed',
  recoverHint:
    'Everything that failed or was held from then until now goes out at once, under the same ids.',
  since: 'From (until now)',
  noLetters: 'No dead letters',
  noLettersText: 'Everything was delivered. What fails four times is kept here for 7 days.',
  addIntegration: 'Connect',
  connect: 'Connect',
  connected: 'Connected',
  noIntegrations: 'Nothing connected yet',
  noIntegrationsText: 'Connect WhatsApp or Telegram, and the assistant answers there too.',
  integrationName: 'Name',
  integrationSwitch: 'Take what the provider sends',
  platform: 'Platform',
  kinds: {
    whatsapp: 'WhatsApp',
    telegram: 'Telegram',
    meta: 'Facebook, Instagram',
    stripe: 'Stripe',
    generic: 'Own program',
  },
  setup,
  settings,
  settingHints,
  secretSet: 'Stored. Leave it empty to keep it.',
  callbackUrl: 'Address for the provider',
  secretNames: {
    whatsapp: 'Verify token',
    telegram: 'Secret token',
    meta: 'Verify token',
    stripe: 'Secret',
    generic: 'Signing key',
  },
  command: 'Command',
  billing: 'Its payments change credits and plans',
  removeIntegrationTitle: 'Disconnect for good?',
  removeIntegrationText:
    'Its address stops working, and its tokens are erased. Conversations stay in the inbox.',
  received: 'Received',
  nothingReceived: 'Nothing received yet',
  nothingReceivedText: 'What the provider sends appears here, for 30 days.',
  sent: 'Sent',
  nothingSent: 'Nothing sent yet',
  nothingSentText: 'Answers to people in the app appear here, for 30 days.',
  queueStates: { waiting: 'Waiting', done: 'Done', failed: 'Failed', cancelled: 'Cancelled' },
}
export type Words = typeof words
