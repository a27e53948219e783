import { expect } from 'vitest'
import type { Member, TokenAnswer } from '../../../server/platform/schema.ts'
import type { Problem } from '../../helpers/answers.ts'
import type { TestProduct, TestWorkspace } from '../../helpers/product.ts'
import type { SmtpServer } from '../../helpers/servers/smtp.ts'
import { eventually } from '../../helpers/eventually.ts'

/** Everybody's. */
export const PASSWORD = 'a long password'

/** The calls that concern a workspace's people, and what their mails hold. */
export function memberCalls(around: () => { product: TestProduct; smtp: SmtpServer }) {
  let people = 0
  const newEmail = () => `person${++people}@example.com`
  const invite = (token: string, body: Record<string, unknown>) =>
    around().product.call<Member & Problem>('/api/v1/members', { token, body })
  const accept = (body: Record<string, unknown>) =>
    around().product.call<Member & Problem>('/api/v1/members/accept', { body })
  async function signIn(email: string): Promise<string> {
    const body = { email, password: PASSWORD }
    const { product } = around()
    return (await product.call<TokenAnswer>('/api/v1/auth/token', { body })).body.access_token
  }
  /** The token of the newest invitation to an address. */
  const tokenFor = (email: string, not = '') =>
    eventually(() => {
      const mail = around().smtp.received.findLast(({ to }) => to.includes(email))
      const token = /\/panel\/invitation#token=([\w-]{43})$/m.exec(mail?.text ?? '')?.[1]
      expect(token).toBeDefined()
      expect(token).not.toBe(not)
      return token ?? ''
    })
  return {
    newEmail,
    invite,
    accept,
    signIn,
    tokenFor,
    change: (token: string, id: string, role: string) =>
      around().product.call<Member & Problem>(`/api/v1/members/${id}`, {
        token,
        method: 'PATCH',
        body: { role },
      }),
    remove: (token: string, id: string) =>
      around().product.call<Member & Problem>(`/api/v1/members/${id}`, { token, method: 'DELETE' }),
    list: (token: string, query = '') =>
      around().product.call<{
        data: (Member & Problem)[]
        next_cursor: string | null
        code?: string
      }>(`/api/v1/members${query}`, { token }),
    me: async (token: string) => (await around().product.call('/api/v1/auth/me', { token })).status,
    codeOf: ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code],
    /** A member who has come and signed in. */
    async join(
      workspace: TestWorkspace,
      role: string,
    ): Promise<{ id: string; email: string; token: string }> {
      const email = newEmail()
      await invite(workspace.token, { email, role, name: 'Somebody' })
      const { body } = await accept({ token: await tokenFor(email), password: PASSWORD })
      return { id: body.id, email, token: await signIn(email) }
    },
  }
}
