import { expect, test } from 'vitest'
import { type Challenge, solve } from '../../helpers/challenge.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

interface Answer {
  access_token: string
  visitor_id: string
  code?: string
  proof?: Challenge
}

describeOnDatabase('a site that asks browsers for work', (database) => {
  const clock = new TestClock(Date.UTC(2027, 5, 15, 9))

  const product = useProduct(database, { clock })

  const open = (abuse: Record<string, unknown>) => addWorkspace(product, { tenant: { abuse } })

  const become = (tenant_id: string, more: Record<string, unknown> = {}) =>
    product.call<Answer>('/api/v1/auth/visitor', { body: { tenant_id, ...more } })

  async function challengeOf(tenantId: string): Promise<Challenge> {
    const { status, headers, body } = await become(tenantId)
    expect([status, body.code]).toEqual([403, 'proof_required'])
    expect(headers.get('content-type')).toContain('application/problem+json')
    if (!body.proof) throw new Error('There is no challenge.')
    return body.proof
  }

  test('lets in who has done it, once, and renews without it', async () => {
    const { tenantId } = await open({ proof_of_work: 'always' })
    const challenge = await challengeOf(tenantId)
    expect(challenge).toMatchObject({ algorithm: 'sha-256', bits: 14 })
    expect(challenge.expires_at).toBe('2027-06-15T09:03:00.000Z')
    const proof = solve(challenge)
    const [one, other] = await Promise.all([
      become(tenantId, { proof }),
      become(tenantId, { proof }),
    ])
    expect([one.status, other.status].filter((status) => status === 200).length).toBe(1)
    const admitted = one.status === 200 ? one.body : other.body
    const renewed = await become(tenantId, { visitor_token: admitted.access_token })
    expect(renewed.body.visitor_id).toBe(admitted.visitor_id)
    expect((await become(tenantId, { proof })).body.code).toBe('proof_required')
  })

  test("takes no work that is undone, late, made up, or another site's", async () => {
    const { tenantId } = await open({ proof_of_work: 'always' })
    const elsewhere = await open({ proof_of_work: 'always' })
    const challenge = await challengeOf(tenantId)
    const easier = challenge.challenge.replace('.14.', '.1.')
    const wrong = [
      { challenge: challenge.challenge, nonce: 'Z' },
      solve({ ...challenge, challenge: easier, bits: 1 }),
      solve({ ...challenge, challenge: `${challenge.challenge}.x` }),
      solve(await challengeOf(elsewhere.tenantId)),
      { challenge: 'nonsense', nonce: '1' },
    ]
    for (const proof of wrong) {
      expect((await become(tenantId, { proof })).body.code, JSON.stringify(proof)).toBe(
        'proof_required',
      )
    }
    const proof = solve(challenge)
    clock.move(3 * 60_000)
    expect((await become(tenantId, { proof })).body.code).toBe('proof_required')
    expect((await become(tenantId, { proof: { nonce: '1' } })).status).toBe(422)
  })

  test('asks for more the more newcomers there are, and for nothing once they are gone', async () => {
    const workspace = await open({ proof_of_work: 'auto', usual_visitors: 2 })
    const { tenantId } = workspace
    const first = await become(tenantId)
    await addVisitor(product, workspace)
    const bits: number[] = []
    for (let count = 0; count < 7; count += 1) {
      const challenge = await challengeOf(tenantId)
      bits.push(challenge.bits)
      expect((await become(tenantId, { proof: solve(challenge) })).status).toBe(200)
    }
    expect(bits).toEqual([14, 14, 15, 15, 15, 15, 16])
    const { access_token } = first.body
    const renewed = await become(tenantId, { visitor_token: access_token })
    expect(renewed.status).toBe(200)
    const page = await fetch(`${product.url}/chat/${tenantId}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
      body: new URLSearchParams({ message: 'Merhaba', id: 'a-message-of-the-page' }),
      redirect: 'manual',
    })
    expect([page.status, page.headers.get('set-cookie')]).toEqual([429, null])
    expect(await page.text()).toContain('Merhaba')
    clock.move(2 * 60_000)
    expect((await become(tenantId)).status).toBe(200)
  })

  test('asks a crowd without being told to, and nobody where work is switched off', async () => {
    const workspace = await addWorkspace(product)
    for (let count = 0; count < 60; count += 1) await addVisitor(product, workspace)
    expect((await challengeOf(workspace.tenantId)).bits).toBe(14)
    const { tenantId } = await open({ proof_of_work: 'off' })
    for (let count = 0; count < 70; count += 1) {
      expect((await become(tenantId)).status).toBe(200)
    }
  })
})
