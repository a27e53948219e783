import type { Migration } from '../migrate.ts'
import { platform } from './platform.ts'
import { workspace } from './workspace.ts'
import { credits } from './credits.ts'
import { chat } from './chat.ts'
import { leads } from './leads.ts'
import { knowledge } from './knowledge.ts'
import { delivery } from './delivery.ts'
import { rules } from './rules.ts'
import { subscriptions } from './subscriptions.ts'
import { prompts } from './prompts.ts'
import { inbox } from './inbox.ts'
import { appointments } from './appointments.ts'
import { analytics } from './analytics.ts'
import { hooks } from './hooks.ts'

/**
 * In the order in which they run. Each slice numbers its own; a migration that has been released is
 * never edited, the next one changes its result.
 */
export const migrations: readonly Migration[] = [
  { name: 'platform-001', statements: platform },
  { name: 'workspace-001', statements: workspace },
  { name: 'credits-001', statements: credits },
  { name: 'chat-001', statements: chat },
  { name: 'leads-001', statements: leads },
  { name: 'knowledge-001', statements: knowledge },
  { name: 'delivery-001', statements: delivery },
  { name: 'rules-001', statements: rules },
  { name: 'subscriptions-001', statements: subscriptions },
  { name: 'prompts-001', statements: prompts },
  { name: 'inbox-001', statements: inbox },
  { name: 'appointments-001', statements: appointments },
  { name: 'analytics-001', statements: analytics },
  { name: 'hooks-001', statements: hooks },
]
