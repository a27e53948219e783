import type { Context } from '../context.ts'
import { members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { readCredits } from './ledger.ts'
import { CreditsAnswer } from './schema.ts'

const credits = {
  config: { access: members('credits:read'), pool: 'default' },
  schema: { summary: 'Credits now', tags: ['Credits'], response: { 200: CreditsAnswer } },
} as const

/** The credits of a workspace. */
export function creditRoutes(app: App, ctx: Context): void {
  app.get('/api/v1/credits', credits, async (request) =>
    readCredits(ctx, requireMember(request).workspaceId),
  )
}
