import { expect, test } from 'vitest'
import type { Member } from '../../../../server/platform/schema.ts'
import { decryptMailContent } from '../../../../server/mail/mail.ts'
import type { Problem } from '../../../helpers/answers.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

describeOnDatabase('who invites to learn whether somebody has an account', (database) => {
  const product = useProduct(database)

  test('learns nothing: the invited person alone is told', async () => {
    const own = await addWorkspace(product)
    const elsewhere = await addWorkspace(product)
    const invite = (email: string) =>
      product.call<Member & Problem>('/api/v1/members', {
        token: own.token,
        body: { email, role: 'operator' },
      })
    const [known, unknown] = [await invite(elsewhere.email), await invite('nobody@example.com')]
    const shapeOf = ({ status, body }: typeof known) => ({
      status,
      fields: Object.keys(body),
      state: body.state,
    })
    expect(shapeOf(known)).toEqual(shapeOf(unknown))
    expect(known.status).toBe(201)
    const list = await product.call('/api/v1/members', { token: own.token })
    expect(list.text).toContain(elsewhere.email)
    // Of the own workspace one may know.
    expect(await invite(own.email)).toMatchObject({ status: 409, body: { code: 'conflict' } })

    const mail = await product.ctx.db
      .selectFrom('mails')
      .selectAll()
      .where('recipient', '=', elsewhere.email)
      .executeTakeFirstOrThrow()
    const { text } = decryptMailContent(product.ctx.secrets, mail)
    const token = /#token=(\S+)/.exec(text)?.[1]
    const accept = { token, name: 'Ayşe', password: 'another long password' }
    const late = await product.call<Problem>('/api/v1/members/accept', { body: accept })
    expect(late).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const signIn = { email: elsewhere.email, password: 'a long password' }
    expect((await product.call('/api/v1/auth/token', { body: signIn })).status).toBe(200)
  })
})
