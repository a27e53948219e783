import type { Migration, Step } from './migrate.ts'
import { platform } from './migrations/platform.ts'
import { workspace } from './migrations/workspace.ts'
import { credits } from './migrations/credits.ts'
import { chat } from './migrations/chat.ts'
import { leads } from './migrations/leads.ts'
import { knowledge } from './migrations/knowledge.ts'
import { evaluation } from './migrations/evaluation.ts'
import { delivery } from './migrations/delivery.ts'
import { rules } from './migrations/rules.ts'
import { subscriptions } from './migrations/subscriptions.ts'
import { prompts } from './migrations/prompts.ts'
import { inbox } from './migrations/inbox.ts'
import { appointments } from './migrations/appointments.ts'
import { analytics } from './migrations/analytics.ts'
import { hooks } from './migrations/hooks.ts'
import { attachments } from './migrations/attachments.ts'
import { notifications } from './migrations/notifications.ts'
import { presence } from './migrations/presence.ts'
import { setup } from './migrations/setup.ts'
import { actions } from './migrations/actions.ts'

/** The steps of each slice, a slice after those whose tables it references. */
const SLICES: Readonly<Record<string, readonly Step[]>> = {
  platform,
  workspace,
  credits,
  chat,
  leads,
  knowledge,
  evaluation,
  delivery,
  rules,
  subscriptions,
  prompts,
  inbox,
  appointments,
  analytics,
  hooks,
  presence,
  notifications,
  attachments,
  setup,
  actions,
}

/**
 * The migrations in the order in which they run, named by slice and number, such as `chat-002`. A step
 * that has been released is never edited: the next one at the end of its slice changes its result. Write
 * `{ expands: true, statements }` for a step that the release before can live with, so that both run side
 * by side during an upgrade.
 */
export const migrations: readonly Migration[] = Object.entries(SLICES).flatMap(([slice, steps]) =>
  steps.map((step, index) => ({
    name: `${slice}-${String(index + 1).padStart(3, '0')}`,
    ...(typeof step === 'object' && 'expands' in step ? step : { statements: step }),
  })),
)
