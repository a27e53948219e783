import type { Context } from '../context.ts'
import { PEOPLE_ONLY, members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { pictureUrl } from '../platform/auth/store.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { MemberPresence, PresenceList, SetPresence } from './schema.ts'
import { PRESENCE_TTL_MS, type PresenceRow, listPresence, savePresence } from './store.ts'
import { trackPresence } from './tracker.ts'

const tags = ['Inbox']

const list = {
  config: { access: members('chat:manage'), pool: 'default' },
  schema: { tags, summary: 'List the presence of all members', response: { 200: PresenceList } },
} as const

const set = {
  config: { access: PEOPLE_ONLY, pool: 'default' },
  schema: {
    tags,
    summary: 'Set your own presence',
    body: SetPresence,
    response: { 200: MemberPresence },
  },
} as const

/** Registers the routes of operators' presence. */
export function presenceRoutes(app: App, ctx: Context): void {
  trackPresence(app, ctx)

  app.get('/api/v1/presence', list, async (request) => {
    const rows = await listPresence(ctx.db, requireMember(request).workspaceId)
    return { data: rows.map((row) => serializePresence(row, ctx.now())), next_cursor: null }
  })

  app.put('/api/v1/presence', set, async (request) => {
    const { id: userId, workspaceId } = requireMember(request)
    const now = ctx.now()
    await savePresence(ctx.db, { workspaceId, userId, state: request.body.state, now })
    const rows = await listPresence(ctx.db, workspaceId)
    const own = rows.find((row) => row.user_id === userId)
    if (!own) throw new AppError('not_found', 'You are no longer a member of this workspace.')
    return serializePresence(own, now)
  })
}

function serializePresence(row: PresenceRow, now: number): MemberPresence {
  const { user_id, name, picture_id, state, changed_at, seen_at } = row
  const person = { user_id, name, picture_url: pictureUrl(picture_id) }
  if (state === null || changed_at === null || seen_at === null) {
    return { ...person, state: 'off', since: null }
  }
  const lapsesAt = seen_at + PRESENCE_TTL_MS
  if (state !== 'off' && lapsesAt <= now) {
    return { ...person, state: 'off', since: isoTime(lapsesAt) }
  }
  return { ...person, state, since: isoTime(changed_at) }
}
