import { identities } from './identities.ts'
import type { Migration } from '../migrate.ts'
import { analytics } from './analytics.ts'
import { appointmentConsents, appointments } from './appointments.ts'
import { accounts, mails } from './accounts.ts'
import { channelMessagesList, channels, channelsListed, contactsOfVisitor } from './channels.ts'
import { platform } from './platform.ts'
import { clustered } from './clustered.ts'
import { credits, creditsShrinking, creditsUsed } from './credits.ts'
import { cancellation, usage, workedOut } from './usage.ts'
import { chat } from './chat.ts'
import { knowledge } from './knowledge.ts'
import { conversationSummaries, modelChoices } from './workspace.ts'
import { knowledgeSources } from './knowledge-sources.ts'
import {
  deliveriesOfSessions,
  delivery,
  deliveryQueue,
  deliveryQueueOnPostgres,
  rules,
} from './delivery.ts'
import { challenges } from './challenges.ts'
import { dailyCaps } from './daily-caps.ts'
import { leadDrafts, privacy } from './leads.ts'
import { attended, inbox, live } from './live.ts'
import { rulesPreviousSecrets, subscriptions } from './subscriptions.ts'
import { holdsOfTenants, leaseTokens } from './lease-tokens.ts'
import { mailCounts } from './mail-counts.ts'
import { prompts } from './prompts.ts'

/** In the order in which they run. A step that has landed is never edited; the next one changes it. */
export const migrations: readonly Migration[] = [
  { name: '001-platform', statements: platform },
  { name: '002-credits', statements: credits },
  { name: '003-chat', statements: chat },
  { name: '004-knowledge', statements: knowledge },
  { name: '005-delivery', statements: delivery },
  { name: '006-rules', statements: rules },
  { name: '007-credits-used', statements: creditsUsed },
  { name: '012-credits-shrinking', statements: creditsShrinking },
  { name: '014-subscriptions', statements: [...subscriptions, ...rulesPreviousSecrets] },
  { name: '010-mails', statements: mails },
  { name: '012-usage', statements: usage },
  { name: '011-workspace', statements: modelChoices },
  { name: '017-knowledge-sources', statements: knowledgeSources },
  { name: '016-live', statements: live },
  { name: '013-prompts', statements: prompts },
  { name: '010-accounts', statements: accounts },
  { name: '012-cancellation', statements: cancellation },
  {
    name: '015-delivery-queue',
    statements: deliveryQueue,
    onPostgres: deliveryQueueOnPostgres,
  },
  { name: '011-conversation-summaries', statements: conversationSummaries },
  { name: '016-inbox', statements: inbox },
  { name: '018-appointments', statements: appointments },
  { name: '020-analytics', statements: analytics },
  { name: '019-channels', statements: channels },
  { name: '019-channel-messages-list', statements: channelMessagesList },
  { name: '020-leads', statements: [...leadDrafts, ...privacy] },
  { name: '020-daily-caps', statements: dailyCaps },
  { name: '021-sessions-attended', statements: attended },
  { name: '030-identities', statements: identities },
  { name: '031-challenges', statements: challenges },
  { name: '032-channels-listed', statements: channelsListed },
  { name: '033-mail-counts', statements: mailCounts },
  { name: '034-contacts-of-visitor', statements: contactsOfVisitor },
  { name: '035-credits-worked-out', statements: workedOut },
  { name: '036-clustered', statements: [], onSqlite: clustered },
  { name: '037-appointment-consents', statements: appointmentConsents },
  { name: '038-deliveries-of-sessions', statements: deliveriesOfSessions },
  { name: '039-lease-tokens', statements: [...leaseTokens, ...holdsOfTenants] },
]
