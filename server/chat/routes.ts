import type { Context } from '../context.ts'
import type { App } from '../http/app-type.ts'
import { identityRoutes } from './routes.identity.ts'
import { liveRoutes } from './routes.live.ts'
import { messageRoutes } from './routes.message.ts'
import { sessionRoutes } from './routes.session.ts'
import { type VisitorParts, visitorRoutes } from './routes.visitor.ts'
import { trackVisitors } from './visitor/activity.ts'

/** Registers the routes of a visitor's page, from the first token to the erasure of a session. */
export function chatRoutes(app: App, ctx: Context, parts: VisitorParts): void {
  const visitors = trackVisitors(app, ctx)
  visitorRoutes(app, ctx, parts, visitors)
  messageRoutes(app, ctx)
  identityRoutes(app, ctx)
  liveRoutes(app, ctx, visitors)
  sessionRoutes(app, ctx)
}
