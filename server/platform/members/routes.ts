import { z } from 'zod'
import type { Context } from '../../context.ts'
import { MANAGERS_ONLY, PUBLIC } from '../../http/access.ts'
import { clientBlock, clientNetwork } from '../../http/addresses.ts'
import type { App } from '../../http/app-type.ts'
import type { Limits } from '../../http/rate-limits.ts'
import { PageQuery, isoTime, pageSchema } from '../../http/pagination.ts'
import { toPage } from '../../lib/cursor.ts'
import { actorOf } from '../audit/audit.ts'
import { requireMember } from '../auth/authenticator.ts'
import { acceptInvitation, inviteMember } from './invitations.ts'
import { changeRole, removeMember } from './members.ts'
import type { Passwords } from '../auth/passwords.ts'
import { Acceptance, Member, MemberPatch, NewMember } from '../schema.ts'
import { type MemberRow, listMembers } from './store.ts'

const tags = ['Members']
const forManagers = { access: MANAGERS_ONLY, pool: 'default' } as const
const MemberPath = z.object({ member_id: z.string().max(64) })

const list = {
  config: forManagers,
  schema: {
    summary: 'List members and invitations, newest first',
    tags,
    querystring: PageQuery,
    response: { 200: pageSchema(Member) },
  },
} as const

const invite = {
  config: { ...forManagers, mayFail: ['conflict', 'quota_exceeded', 'rate_limited'] },
  schema: {
    summary: 'Invite somebody by mail, for 7 days',
    tags,
    body: NewMember,
    response: { 201: Member },
  },
} as const

const accept = {
  config: {
    access: PUBLIC,
    pool: 'open',
    mayFail: ['conflict', 'forbidden', 'quota_exceeded', 'unauthenticated', 'rate_limited'],
  },
  schema: {
    summary: 'Accept an invitation, with its token',
    tags,
    body: Acceptance,
    response: { 201: Member },
  },
} as const

const patch = {
  config: { ...forManagers, mayFail: ['conflict'] },
  schema: {
    summary: 'Change the role of a member',
    tags,
    params: MemberPath,
    body: MemberPatch,
    response: { 200: Member },
  },
} as const

const remove = {
  config: { ...forManagers, mayFail: ['conflict'] },
  schema: {
    summary: 'Remove a member with every login and key, or withdraw an invitation',
    tags,
    params: MemberPath,
    response: { 204: z.null() },
  },
} as const

/** The people of a workspace. */
export function memberRoutes(
  app: App,
  ctx: Context,
  { passwords, limits }: { passwords: Passwords; limits: Limits },
): void {
  const show = (row: MemberRow) => serializeMember(row, ctx.now())

  app.get('/api/v1/members', list, async (request) => {
    const { limit, cursor } = request.query
    const rows = await listMembers(ctx.db, requireMember(request).workspaceId, {
      limit,
      after: cursor,
    })
    return toPage(rows, limit, (row) => ({ at: row.created_at, id: row.id }), show)
  })

  app.post('/api/v1/members', invite, async (request, reply) => {
    const { email, role, name = '' } = request.body
    const actor = actorOf(request)
    const row = await inviteMember(ctx, requireMember(request), { email, role, name, actor })
    return reply.code(201).send(show(row))
  })

  app.post('/api/v1/members/accept', accept, async (request, reply) => {
    await limits.count('auth', `accept:${clientNetwork(request)}`, reply)
    const { token, name, password } = request.body
    const address = clientBlock(request)
    const row = await acceptInvitation(ctx, passwords, { token, name, password, address })
    return reply.code(201).send(show(row))
  })

  app.patch('/api/v1/members/:member_id', patch, async (request) => {
    const { member_id: id } = request.params
    const { role } = request.body
    return show(
      await changeRole(ctx, requireMember(request), { id, role, actor: actorOf(request) }),
    )
  })

  app.delete('/api/v1/members/:member_id', remove, async (request, reply) => {
    const { member_id: id } = request.params
    await removeMember(ctx, requireMember(request), { id, actor: actorOf(request) })
    return reply.code(204).send(null)
  })
}

function serializeMember(row: MemberRow, now: number): Member {
  const isOpen = row.expires_at === null || row.expires_at > now
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    state: row.expires_at === null ? 'active' : isOpen ? 'invited' : 'expired',
    created_at: isoTime(row.created_at),
    expires_at: row.expires_at === null ? null : isoTime(row.expires_at),
  }
}
