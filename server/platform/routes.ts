import type { Context } from '../context.ts'
import type { App } from '../http/app-type.ts'
import { LoginFailures } from './login-failures.ts'
import { accountPageRoutes } from './routes.account-pages.ts'
import { auditRoutes } from './routes.audit.ts'
import { type AuthParts, authRoutes } from './routes.auth.ts'
import { keyRoutes } from './routes.keys.ts'
import { devMailRoutes } from './routes.mail.ts'
import { memberRoutes } from './routes.members.ts'
import { passwordRoutes } from './routes.passwords.ts'

export type PlatformParts = Omit<AuthParts, 'failures'>

/** Logins, passwords, API keys, members and the audit log of a workspace. */
export function platformRoutes(app: App, ctx: Context, parts: PlatformParts): void {
  devMailRoutes(app, ctx)
  authRoutes(app, ctx, { ...parts, failures: new LoginFailures(ctx) })
  passwordRoutes(app, ctx, parts)
  accountPageRoutes(app, ctx, parts)
  keyRoutes(app, ctx, parts)
  memberRoutes(app, ctx, parts)
  auditRoutes(app, ctx)
}
