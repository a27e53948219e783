import { expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../../../server/lib/durations.ts'
import { decryptMailContent } from '../../../../server/mail/mail.ts'
import type { Member, TokenAnswer } from '../../../../server/platform/schema.ts'
import type { Problem } from '../../../helpers/answers.ts'
import { TestClock } from '../../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../../helpers/databases.ts'
import { HOSTILE_NAMES, PRESSABLE } from '../../../helpers/hostile/mail-texts.ts'
import { type TestWorkspace, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

const PASSWORD = 'a long password'

describeOnBothDatabases('a member who has mails sent to strangers', (database) => {
  const clock = new TestClock(Date.UTC(2026, 10, 21, 9))
  const product = useProduct(database, { clock, settings: { TRUSTED_PROXIES: '127.0.0.0/8' } })

  const invite = ({ token }: TestWorkspace, email: string, more: Record<string, string> = {}) =>
    product.call<Member & Problem>('/api/v1/members', {
      token,
      body: { email, role: 'operator', ...more },
    })
  const inviteAndWithdraw = async (workspace: TestWorkspace, email: string) => {
    const answer = await invite(workspace, email)
    if (answer.status === 201) {
      const path = `/api/v1/members/${answer.body.id}`
      await product.call(path, { method: 'DELETE', token: workspace.token })
    }
    return answer
  }
  const changeTo = ({ token }: TestWorkspace, email: string) =>
    product.call<Problem>('/api/v1/account/email', { token, body: { email, password: PASSWORD } })
  const mailsTo = async (recipient: string) => {
    const { ctx } = product
    const query = ctx.db.selectFrom('mails').selectAll().where('recipient', '=', recipient)
    return (await query.execute()).map((row) => decryptMailContent(ctx.secrets, row))
  }

  test('reaches fifty addresses a day, however many invitations are withdrawn', async () => {
    const workspace = await addWorkspace(product, { plan: 'starter' })
    const statuses: number[] = []
    for (let at = 0; at < 52; at += 1) {
      statuses.push((await inviteAndWithdraw(workspace, `fifty${at}@example.com`)).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 50 }, () => 201), 429, 429])
    const refused = await changeTo(workspace, 'one-more@example.com')
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600)
    clock.move(DAY_MS)
    const login = { email: workspace.email, password: PASSWORD }
    const { body } = await product.call<TokenAnswer>('/api/v1/auth/token', { body: login })
    const later = { ...workspace, token: body.access_token }
    expect((await invite(later, 'fifty@example.com')).status).toBe(201)
  })

  test('reaches one person five times a day from a workspace, and ten times in all', async () => {
    const email = 'victim@example.com'
    const sent: number[] = []
    for (let at = 0; at < 3; at += 1) {
      const workspace = await addWorkspace(product)
      const answers = [await changeTo(workspace, email)]
      for (let n = 0; n < 6; n += 1) answers.push(await invite(workspace, email))
      sent.push(answers.filter(({ status }) => status < 300).length)
    }
    expect(sent).toEqual([5, 5, 0])
    expect(await mailsTo(email)).toHaveLength(10)
  })

  test.each(HOSTILE_NAMES)(
    'sends one line without links, whatever he is called: %j',
    async (typed) => {
      const workspace = await addWorkspace(product)
      const { token } = workspace
      const patch = (path: string) =>
        product.call(path, { method: 'PATCH', token, body: { name: typed } })
      await patch('/api/v1/workspace')
      await patch('/api/v1/account')
      const [one, two] = [
        `one-${workspace.tenantId}@example.com`,
        `two-${workspace.tenantId}@example.com`,
      ]
      // A name that is refused reaches nobody.
      const named = await invite(workspace, one, { name: typed })
      if (named.status !== 201) await invite(workspace, one)
      expect((await changeTo(workspace, two)).status).toBe(202)
      for (const { subject, text } of [...(await mailsTo(one)), ...(await mailsTo(two))]) {
        const rest = `${subject}\n${text}`
          .replaceAll(/http:\/\/localhost:3000\/panel\/\S+/g, '')
          .replaceAll(workspace.email, '')
        expect(rest.replaceAll(/\.$|\.(?=\s)|…/gm, '')).not.toMatch(PRESSABLE)
        expect(subject).not.toMatch(/[\r\n]/)
        expect(text).not.toMatch(/^(Your account|Bcc:|second|third|fourth)/m)
      }
    },
  )

  test('gets twenty resets of a password mailed to another a day, and does not lock the user out', async () => {
    const { email } = await addWorkspace(product)
    const before = clock.now()
    const ask = (address: string) =>
      product.call('/api/v1/auth/password/reset', {
        body: { email },
        headers: { 'x-forwarded-for': address },
      })
    for (let round = 0; round < 6; round += 1) {
      for (let at = 0; at < 5; at += 1) {
        expect((await ask(`203.0.113.${round * 5 + at}`)).status).toBe(202)
      }
      clock.move(31 * MINUTE_MS)
    }
    expect(clock.now() - before).toBeLessThan(DAY_MS)
    expect(await mailsTo(email)).toHaveLength(20)
    // From where the user has signed in, it is not counted.
    expect((await ask('127.0.0.9')).status).toBe(202)
    expect(await mailsTo(email)).toHaveLength(21)
  })

  test('does not learn from a change of address who has an account', async () => {
    const [own, elsewhere] = [await addWorkspace(product), await addWorkspace(product)]
    const answers = [await changeTo(own, elsewhere.email), await changeTo(own, 'free@example.com')]
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [202, { pending_email: elsewhere.email }],
      [202, { pending_email: 'free@example.com' }],
    ])
    const [told] = await mailsTo(elsewhere.email)
    expect(told?.text).not.toContain('#token=')
    const [asked] = await mailsTo('free@example.com')
    expect(asked?.text).toContain('#token=')
    expect(await changeTo(own, own.email)).toMatchObject({ status: 409 })
  })
})
