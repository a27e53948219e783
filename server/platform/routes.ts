import type { Context } from '../context.ts'
import type { App } from '../http/app-type.ts'
import { profileRoutes } from './account/routes.ts'
import { LoginFailures } from './auth/login-failures.ts'
import { auditRoutes } from './routes.audit.ts'
import { type AuthParts, authRoutes } from './auth/routes.ts'
import { keyRoutes } from './auth/routes.keys.ts'
import { devMailRoutes } from '../mail/routes.ts'
import { memberRoutes } from './members/routes.ts'
import { passwordRoutes } from './auth/routes.passwords.ts'

export type PlatformParts = Omit<AuthParts, 'failures'>

/** Logins, passwords, API keys, members and the audit log of a workspace. */
export function platformRoutes(app: App, ctx: Context, parts: PlatformParts): void {
  devMailRoutes(app, ctx)
  authRoutes(app, ctx, { ...parts, failures: new LoginFailures(ctx) })
  passwordRoutes(app, ctx, parts)
  profileRoutes(app, ctx, parts)
  keyRoutes(app, ctx, parts)
  memberRoutes(app, ctx, parts)
  auditRoutes(app, ctx)
}
