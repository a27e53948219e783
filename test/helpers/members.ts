import { newId } from '../../server/lib/ids.ts'
import type { TokenAnswer } from '../../server/platform/schema.ts'
import { findUserByEmail } from '../../server/platform/auth/store.ts'
import type { TestProduct, TestWorkspace } from './product.ts'

let joined = 0

/**
 * Adds a member to a workspace, with the owner's password and without an invitation mail: other tests
 * cover invitations.
 */
export async function addMember(
  product: TestProduct,
  workspace: TestWorkspace,
  options: { role?: 'owner' | 'admin' | 'operator'; name?: string } = {},
): Promise<{ id: string; name: string; email: string; token: string }> {
  joined += 1
  const email = `member${joined}@example.com`
  const name = options.name ?? `Member ${joined}`
  const { db } = product.ctx
  const owner = await findUserByEmail(db, workspace.email)
  if (!owner) throw new Error('The workspace has no owner.')
  const id = newId('usr')
  await db
    .insertInto('users')
    .values({ ...owner, id, email, name, role: options.role ?? 'operator' })
    .execute()
  const signedIn = await product.call<TokenAnswer>('/api/v1/auth/token', {
    body: { email, password: 'a long password' },
  })
  if (signedIn.status !== 200) throw new Error(`They could not sign in: ${signedIn.text}`)
  return { id, name, email, token: signedIn.body.access_token }
}
