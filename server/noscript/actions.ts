import { createHash } from 'node:crypto'
import { z } from 'zod'
import { beginTurn } from '../chat/turn/answer.ts'
import { eraseSession } from '../chat/session/erasure.ts'
import { requestHandoff } from '../chat/handoff/handoff.ts'
import { startSession } from '../chat/session/sessions.ts'
import { type SessionRow, listSessions } from '../chat/session/store.ts'
import type { TenantRow } from '../tenants/tenants.ts'
import { type Context, transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { submitLead } from '../leads/capture.ts'
import type { VisitorCaller } from '../platform/auth/authenticator.ts'
import { findReplay } from '../platform/idempotency.ts'
import type { Notice, FormAction } from './schema.ts'

/** A request to the page: its site, its visitor and the locale. */
export interface NoscriptVisit {
  tenant: TenantRow
  caller: VisitorCaller
  /** The visitor's network, which limits count. */
  client: string
  locale: string
}

/** Returns the visitor's newest session with the site. */
export async function findConversation(
  ctx: Context,
  caller: VisitorCaller,
): Promise<SessionRow | undefined> {
  const of = { workspaceId: caller.workspaceId, visitorId: caller.id }
  const [session] = await listSessions(ctx.db, of, { limit: 1, after: undefined })
  return session
}

/** The page's notice about an action, and the names of the invalid fields. */
export interface ActionResult {
  notice: Notice | undefined
  wrong: string[]
}

const Refused = z.object({ errors: z.array(z.object({ path: z.string() })) })

/** Executes the action of a form. Returns refusals as a notice; throws on defects only. */
export async function handleAction(
  ctx: Context,
  visit: NoscriptVisit,
  action: FormAction,
): Promise<ActionResult> {
  try {
    return { notice: await runAction(ctx, visit, action), wrong: [] }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const refused = Refused.safeParse(error.more)
    const wrong = refused.success ? refused.data.errors.map(({ path }) => lastSegment(path)) : []
    return { notice: renderNotice(error), wrong }
  }
}

async function runAction(
  ctx: Context,
  visit: NoscriptVisit,
  action: FormAction,
): Promise<Notice | undefined> {
  if ('message' in action) return sendVisitorMessage(ctx, visit, action)
  if (!('wish' in action)) return leaveContact(ctx, visit, action)
  if (action.wish === 'refresh') return undefined
  if (action.wish === 'person') return requestPerson(ctx, visit)
  const session = await findConversation(ctx, visit.caller)
  if (session) await eraseSession(ctx, session)
  return 'erased'
}

/** Returns the name at the end of a JSON Pointer such as `/phone`. */
const lastSegment = (path: string): string => path.split('/').at(-1) ?? ''

function renderNotice({ code }: AppError): Notice {
  if (code === 'credits_exhausted' || code === 'credits_held') return 'unpaid'
  if (code === 'rate_limited') return 'wait'
  return code === 'validation_failed' ? 'wrong' : 'failed'
}

async function sendVisitorMessage(
  ctx: Context,
  { tenant, caller, client, locale }: NoscriptVisit,
  { message, id }: { message: string; id: string },
): Promise<undefined> {
  const session = await findConversation(ctx, caller)
  const isOpen = session && session.state !== 'closed'
  const key = {
    workspaceId: caller.workspaceId,
    caller: caller.id,
    route: 'chat-page',
    requestId: id,
    digest: createHash('sha256').update(message).digest('base64url'),
  }
  if ((await findReplay(ctx, key)) !== undefined) return undefined
  const input = {
    tenant_id: tenant.id,
    message,
    locale,
    ...(isOpen ? { session_id: session.id } : {}),
  }
  const { signal } = new AbortController()
  const pieces = await beginTurn(ctx, caller, tenant, { input, key, signal, client })
  // The page has no stream: it shows the stored answer.
  while (!(await pieces.next()).done);
  return undefined
}

async function leaveContact(
  ctx: Context,
  visit: NoscriptVisit,
  action: Extract<FormAction, { name?: unknown }>,
): Promise<Notice> {
  const { name = '', phone = '', email = '', consent, code } = action
  const session = await openConversation(ctx, visit)
  const fields = {
    name: name.trim(),
    phone: phone.trim(),
    email: email.trim(),
    ...(consent ? { consent: true } : {}),
    ...(code ? { code } : {}),
  }
  const { tenant, client } = visit
  const place = { tenant, session, client }
  const done = await submitLead(ctx, place, { fields, key: undefined })
  return 'lead' in done ? 'thanks' : 'code'
}

async function requestPerson(ctx: Context, visit: NoscriptVisit): Promise<Notice | undefined> {
  const session = await openConversation(ctx, visit)
  const { available } = await requestHandoff(ctx, visit.caller, { tenant: visit.tenant, session })
  return available ? undefined : 'away'
}

async function openConversation(
  ctx: Context,
  { tenant, caller, locale }: NoscriptVisit,
): Promise<SessionRow> {
  const session = await findConversation(ctx, caller)
  if (session && session.state !== 'closed') return session
  return transaction(ctx, (tx) => startSession(tx, tenant, { caller, locale }))
}
