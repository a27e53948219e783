import type { Migration, Step } from '../migrate.ts'
import { platform } from './platform.ts'
import { workspace } from './workspace.ts'
import { credits } from './credits.ts'
import { chat } from './chat.ts'
import { leads } from './leads.ts'
import { knowledge } from './knowledge.ts'
import { evaluation } from './evaluation.ts'
import { delivery } from './delivery.ts'
import { rules } from './rules.ts'
import { subscriptions } from './subscriptions.ts'
import { prompts } from './prompts.ts'
import { inbox } from './inbox.ts'
import { appointments } from './appointments.ts'
import { analytics } from './analytics.ts'
import { hooks } from './hooks.ts'
import { attachments } from './attachments.ts'
import { notifications } from './notifications.ts'
import { presence } from './presence.ts'
import { setup } from './setup.ts'

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
