import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '../../../server/lib/durations.ts'
import type { AuditEntry, Member } from '../../../server/platform/schema.ts'
import type { CreatedApiKey, Page, Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { OPERATOR_TOKEN, type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { type SmtpServer, startSmtpServer } from '../../helpers/servers/smtp.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { PASSWORD, memberCalls } from './member-calls.ts'

describeOnDatabase('the people of a workspace', (database) => {
  const clock = new TestClock(Date.UTC(2026, 4, 11, 9))
  let smtp: SmtpServer
  let workspace: TestWorkspace
  let other: TestWorkspace

  beforeAll(async () => {
    smtp = await startSmtpServer()
  })
  afterAll(() => smtp.close())
  const product = useProduct(database, () => ({
    clock,
    settings: { SMTP_URL: smtp.url },
  }))
  beforeEach(async () => {
    workspace = await addWorkspace(product)
    other = await addWorkspace(product)
    smtp.received.length = 0
    clock.move(1_000)
  })

  const calls = memberCalls(() => ({ product, smtp }))
  const { accept, change, codeOf, invite, list, me, newEmail, remove, signIn, tokenFor } = calls
  const join = (role: string) => calls.join(workspace, role)
  async function ownerId(): Promise<string> {
    const { body } = await list(workspace.token)
    return body.data.find(({ email }) => email === workspace.email)?.id ?? ''
  }

  test('are invited by mail, come once, and are on the list from the first day', async () => {
    const email = newEmail()
    const invited = await invite(workspace.token, { email: email.toUpperCase(), role: 'operator' })
    expect(invited.status).toBe(201)
    expect(invited.body).toEqual({
      id: expect.stringMatching(/^inv_/),
      email,
      name: '',
      role: 'operator',
      state: 'invited',
      created_at: new Date(clock.now()).toISOString(),
      expires_at: new Date(clock.now() + 7 * DAY_MS).toISOString(),
    })
    const token = await tokenFor(email)
    const [mail] = smtp.received
    expect(mail?.headers.subject).toMatch(/^Davet: Workspace \d+$/)
    expect(mail?.text).toContain('Rolünüz: temsilci')
    const stored = await product.ctx.db.selectFrom('invitations').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(token)

    expect((await accept({ token, password: PASSWORD })).status).toBe(422)
    expect((await accept({ token, name: 'Ayşe', password: 'short' })).status).toBe(422)
    const joined = await accept({ token, name: 'Ayşe', password: PASSWORD })
    expect(joined.status).toBe(201)
    expect(joined.body).toMatchObject({ email, name: 'Ayşe', role: 'operator', state: 'active' })
    expect(joined.text).not.toMatch(/argon|password/)
    const again = await accept({ token, name: 'Ayşe', password: PASSWORD })
    expect(codeOf(again)).toEqual([401, 'unauthenticated'])
    expect(await me(await signIn(email))).toBe(200)

    const first = await list(workspace.token, '?limit=1')
    expect(first.body.data).toMatchObject([{ id: joined.body.id, state: 'active' }])
    const second = await list(workspace.token, `?limit=1&cursor=${first.body.next_cursor}`)
    expect(second.body).toMatchObject({
      data: [{ email: workspace.email, role: 'owner', state: 'active', expires_at: null }],
      next_cursor: null,
    })
  })

  test('come once, however often the link is used at the same moment', async () => {
    const email = newEmail()
    await invite(workspace.token, { email, role: 'operator', name: 'Ali' })
    const token = await tokenFor(email)
    const answers = await Promise.all([1, 2, 3].map(() => accept({ token, password: PASSWORD })))
    expect(answers.filter(({ status }) => status === 201).length).toBe(1)
    expect((await list(workspace.token)).body.data.length).toBe(2)
  })

  test('are invited again with a new link; an old or withdrawn one is good for nothing', async () => {
    const email = newEmail()
    await invite(workspace.token, { email, role: 'operator', name: 'Ali' })
    const first = await tokenFor(email)
    const again = await invite(workspace.token, { email, role: 'admin', name: 'Ali' })
    const second = await tokenFor(email, first)
    expect((await accept({ token: first, password: PASSWORD })).status).toBe(401)
    expect((await list(workspace.token)).body.data.length).toBe(2)
    clock.move(7 * DAY_MS)
    workspace.token = await signIn(workspace.email)
    expect((await accept({ token: second, password: PASSWORD })).status).toBe(401)
    expect((await list(workspace.token)).body.data[0]).toMatchObject({ state: 'expired' })
    await invite(workspace.token, { email, role: 'admin', name: 'Ali' })
    const third = await tokenFor(email, second)
    expect((await remove(workspace.token, again.body.id)).status).toBe(204)
    expect((await accept({ token: third, password: PASSWORD })).status).toBe(401)
  })

  test('belong to one workspace: who is a member is not invited, who has an account cannot come', async () => {
    const again = { email: workspace.email, role: 'admin' }
    expect(codeOf(await invite(workspace.token, again))).toEqual([409, 'conflict'])
    const email = newEmail()
    await invite(workspace.token, { email, role: 'admin', name: 'Ali' })
    const here = await tokenFor(email)
    await invite(other.token, { email, role: 'admin', name: 'Ali' })
    const there = await tokenFor(email, here)
    expect((await accept({ token: there, password: PASSWORD })).status).toBe(201)
    const late = await accept({ token: here, password: PASSWORD })
    expect(codeOf(late)).toEqual([409, 'conflict'])
  })

  test('are managed by owners and admins in person; owners by owners alone', async () => {
    const admin = await join('admin')
    const operator = await join('operator')
    const owner = await ownerId()
    for (const call of [
      () => invite(admin.token, { email: newEmail(), role: 'owner' }),
      () => change(admin.token, operator.id, 'owner'),
      () => change(admin.token, owner, 'operator'),
      () => remove(admin.token, owner),
      () => list(operator.token),
      () => invite(operator.token, { email: newEmail(), role: 'operator' }),
      () => change(operator.token, operator.id, 'admin'),
      () => remove(operator.token, admin.id),
      () => product.call<Member & Problem>('/api/v1/audit', { token: operator.token }),
      () => product.call<Member & Problem>('/api/v1/api-keys', { token: operator.token }),
      () => change(other.token, operator.id, 'admin'),
      () => remove(other.token, operator.id),
    ]) {
      expect(codeOf(await call())).toEqual([403, 'forbidden'])
    }
    const { body: key } = await product.call<CreatedApiKey>('/api/v1/api-keys', {
      token: workspace.token,
      body: { name: 'CRM' },
    })
    expect(codeOf(await list(key.key))).toEqual([403, 'forbidden'])
    expect((await change(admin.token, operator.id, 'admin')).body).toMatchObject({ role: 'admin' })
    expect((await list(operator.token)).status).toBe(200)
    expect((await change(workspace.token, admin.id, 'owner')).status).toBe(200)
    expect((await change(admin.token, owner, 'operator')).status).toBe(200)
    expect(codeOf(await list(workspace.token))).toEqual([403, 'forbidden'])
    expect(codeOf(await change(admin.token, 'usr_unknown', 'admin'))).toEqual([404, 'not_found'])
    expect((await change(admin.token, operator.id, 'boss')).status).toBe(422)
  })

  test('always have an owner, also when two owners unmake each other at once', async () => {
    const owner = await ownerId()
    expect(codeOf(await change(workspace.token, owner, 'admin'))).toEqual([409, 'conflict'])
    expect(codeOf(await remove(workspace.token, owner))).toEqual([409, 'conflict'])
    const second = await join('owner')
    const answers = await Promise.all([
      change(workspace.token, second.id, 'admin'),
      change(second.token, owner, 'admin'),
    ])
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    const owners = await product.ctx.db
      .selectFrom('users')
      .select('id')
      .where('workspace_id', '=', workspace.id)
      .where('role', '=', 'owner')
      .execute()
    expect(owners.length).toBe(1)
  })

  test('are out at once when they are removed: logins, renewals and keys', async () => {
    const admin = await join('admin')
    const { body: key } = await product.call<CreatedApiKey>('/api/v1/api-keys', {
      token: admin.token,
      body: { name: 'CRM' },
    })
    expect(await me(key.key)).toBe(200)
    expect((await remove(workspace.token, admin.id)).status).toBe(204)
    expect(await me(admin.token)).toBe(401)
    expect(await me(key.key)).toBe(401)
    expect(
      (
        await product.call('/api/v1/auth/token', {
          body: { email: admin.email, password: PASSWORD },
        })
      ).status,
    ).toBe(401)
    expect((await remove(workspace.token, admin.id)).status).toBe(404)
    const back = await invite(workspace.token, { email: admin.email, role: 'operator' })
    expect(back.status).toBe(201)
  })

  test('leave a trace of who did what, and no secret', async () => {
    const admin = await join('admin')
    await change(workspace.token, admin.id, 'operator')
    await remove(workspace.token, admin.id)
    const { body: key } = await product.call<CreatedApiKey>('/api/v1/api-keys', {
      token: workspace.token,
      body: { name: 'CRM' },
    })
    const { body, text } = await product.call<Page<AuditEntry>>('/api/v1/audit', {
      token: key.key,
    })
    expect(body.data.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'api_key.created',
        'member.removed',
        'member.role_changed',
        'member.joined',
        'member.invited',
        'login.succeeded',
      ]),
    )
    expect(body.data).toContainEqual(
      expect.objectContaining({
        action: 'member.removed',
        actor: {
          kind: 'user',
          id: await ownerId(),
          name: 'Owner',
          email: workspace.email,
        },
        subject: { type: 'user', id: admin.id },
        details: { email: admin.email, role: 'operator' },
      }),
    )
    for (const secret of [key.key, PASSWORD, admin.token]) expect(text).not.toContain(secret)
    await product.call(`/api/v1/operator/workspaces/${workspace.id}`, {
      token: OPERATOR_TOKEN,
      method: 'PATCH',
      body: { plan: 'ajans_pro' },
    })
    await product.call('/api/v1/workspace', {
      token: workspace.token,
      method: 'PATCH',
      body: { name: 'A better name' },
    })
    const later = await product.call('/api/v1/audit?limit=2', { token: workspace.token })
    expect(later.body).toMatchObject({
      data: [
        { action: 'workspace.changed', details: { fields: ['name'] } },
        {
          action: 'workspace.plan_changed',
          actor: { kind: 'operator', id: null },
          details: { plan_before: 'klinik_pro', plan: 'ajans_pro' },
          address: null,
        },
      ],
    })
    const foreign = await product.call('/api/v1/audit', { token: other.token })
    expect(foreign.text).not.toContain(admin.email)
  })
})
