import { expect } from 'vitest'
import type { LedgerRow } from '../../../server/credits/schema.ts'
import type { TokenAnswer } from '../../../server/platform/schema.ts'
import type { CreditsAnswer, Workspace } from '../../helpers/answers.ts'
import { OPERATOR_TOKEN, type TestProduct, type TestWorkspace } from '../../helpers/product.ts'

/** Signs the owner in again: tests that move the clock outlive their tokens. */
export async function freshToken(product: TestProduct, { email }: TestWorkspace): Promise<string> {
  const { body } = await product.call<TokenAnswer>('/api/v1/auth/token', {
    body: { email, password: 'a long password' },
  })
  return body.access_token
}

/** The credits as the installation's operator sees them. */
export async function creditsOf(
  product: TestProduct,
  { id }: TestWorkspace,
): Promise<CreditsAnswer> {
  const { body } = await product.call<Workspace>(`/api/v1/operator/workspaces/${id}`, {
    token: OPERATOR_TOKEN,
  })
  return body.credits
}

/** Every row of the ledger, oldest first. */
export async function readLedger(
  product: TestProduct,
  workspace: TestWorkspace,
): Promise<LedgerRow[]> {
  const token = await freshToken(product, workspace)
  const rows: LedgerRow[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const path: string = `/api/v1/credits/ledger?limit=100${cursor && `&cursor=${cursor}`}`
    const { body }: { body: { data: LedgerRow[]; next_cursor: string | null } } =
      await product.call(path, { token })
    rows.push(...body.data)
    cursor = body.next_cursor
  }
  return rows.toReversed()
}

const milli = (credits: number) => Math.round(credits * 1_000)

/** The ledger must explain the balance: after each row, and in all. */
export async function expectBalanced(
  product: TestProduct,
  workspace: TestWorkspace,
): Promise<CreditsAnswer> {
  const rows = await readLedger(product, workspace)
  const credits = await creditsOf(product, workspace)
  const sum = rows.reduce((total, { amount }) => total + milli(amount), 0)
  const last = rows.at(-1)
  expect(new Set(rows.map(({ ledger_id }) => ledger_id)).size).toBe(rows.length)
  let running = 0
  for (const row of rows) {
    running += milli(row.amount)
    expect([row.ledger_id, running]).toEqual([
      row.ledger_id,
      milli(row.monthly_after) + milli(row.addons_after) - milli(row.held_after),
    ])
    expect(row.monthly_after).toBeGreaterThanOrEqual(0)
    expect(row.addons_after).toBeGreaterThanOrEqual(0)
    expect(row.held_after).toBeGreaterThanOrEqual(0)
    expect(milli(row.monthly_after) + milli(row.addons_after)).toBeGreaterThanOrEqual(
      milli(row.held_after),
    )
  }
  if (last && Date.parse(credits.reset_at) > Date.parse(last.created_at)) {
    expect(sum).toBe(milli(last.monthly_after) + milli(last.addons_after) - milli(last.held_after))
  }
  return credits
}

/** The same, and what is left now is what the ledger adds up to. */
export async function expectExact(
  product: TestProduct,
  workspace: TestWorkspace,
): Promise<CreditsAnswer> {
  const credits = await expectBalanced(product, workspace)
  const rows = await readLedger(product, workspace)
  const sum = rows.reduce((total, { amount }) => total + milli(amount), 0)
  expect(sum).toBe(milli(credits.remaining))
  expect(credits.remaining).toBeGreaterThanOrEqual(0)
  return credits
}

/** Changes the plan or the monthly credits as the installation's operator does. */
export function patchWorkspace(product: TestProduct, { id }: TestWorkspace, body: object) {
  return product.call(`/api/v1/operator/workspaces/${id}`, {
    method: 'PATCH',
    token: OPERATOR_TOKEN,
    body,
  })
}

/** Gives bought credits. */
export function buy(
  product: TestProduct,
  { id }: TestWorkspace,
  credits: number,
  reference: string,
) {
  return product.call<CreditsAnswer>(`/api/v1/operator/workspaces/${id}/addons`, {
    token: OPERATOR_TOKEN,
    body: { credits, reference },
  })
}

/** Asks one question as the owner; answers the status and what it cost. */
export async function ask(product: TestProduct, workspace: TestWorkspace, token: string) {
  return product.call<{ credits_used: number; credits_remaining: number; code: string }>(
    '/api/v1/chatbot/message',
    { token, body: { tenant_id: workspace.tenantId, message: 'Hello?' } },
  )
}
