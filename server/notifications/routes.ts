import type { Context } from '../context.ts'
import { PEOPLE_ONLY } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError } from '../http/errors.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { pushRoutes } from './push/routes.ts'
import { parsePreferences } from './preferences.ts'
import { NotificationPreferences } from './schema.ts'
import { findRecipient, savePreferences } from './store.ts'

const config = { access: PEOPLE_ONLY, pool: 'default' } as const
const tags = ['Account']

const read = {
  config,
  schema: {
    tags,
    summary: 'Get your notification preferences',
    response: { 200: NotificationPreferences },
  },
} as const

const save = {
  config,
  schema: {
    tags,
    summary: 'Change your notification preferences',
    body: NotificationPreferences,
    response: { 200: NotificationPreferences },
  },
} as const

/** Registers the routes of a member's notifications. */
export function notificationRoutes(app: App, ctx: Context): void {
  pushRoutes(app, ctx)

  app.get('/api/v1/account/notifications', read, async (request) => {
    const { workspaceId, id } = requireMember(request)
    const member = await findRecipient(ctx.db, workspaceId, id)
    if (!member) throw new AppError('not_found', 'You are no longer a member of this workspace.')
    return parsePreferences(member)
  })

  app.put('/api/v1/account/notifications', save, async (request) => {
    const { workspaceId, id: userId } = requireMember(request)
    await savePreferences(ctx.db, { workspaceId, userId }, request.body, ctx.now())
    return request.body
  })
}
