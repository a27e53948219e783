import type { InboxSession } from '../../../server/inbox/schema.ts'
import type { Words } from '../../locales/en/inbox.ts'

/** The visitor's name as far as it is known, or a code that stays the same. */
export function nameOf(
  row: Pick<InboxSession, 'session_id' | 'visitor_id' | 'visitor' | 'identity' | 'lead_name'>,
  words: Words,
): string {
  const { visitor, identity, lead_name: lead } = row
  const name = lead ?? identity?.name ?? visitor.name ?? visitor.email ?? visitor.phone
  return name ?? words.visitor((row.visitor_id ?? row.session_id).slice(-4).toUpperCase())
}

/** The colleague who has the conversation, or “you”; `undefined` for nobody. */
export function holderOf(
  { assignee }: Pick<InboxSession, 'assignee'>,
  userId: string | undefined,
  words: Words,
): string | undefined {
  if (assignee === null) return undefined
  return assignee.user_id === userId ? words.you : assignee.name || words.team
}

/** How long the visitor has waited for a person, in milliseconds. */
export function waitOf({ waiting_since: since }: InboxSession): number | undefined {
  return since === null ? undefined : Math.max(0, Date.now() - Date.parse(since))
}

/** An address without its scheme, for a narrow place. */
export function shortUrl(url: string): string {
  const { host, pathname } = new URL(url)
  return host + (pathname === '/' ? '' : decodeURI(pathname))
}

/** The channel's name; a new channel shows its own word. */
export function channelName(channel: string, words: Words): string {
  const names: Record<string, string> = words.card.channels
  return names[channel] ?? channel
}
