import { expect, test } from 'vitest'
import type { Problem } from '../../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

describeOnBothDatabases('the tenant_id of a removed site', (database) => {
  const product = useProduct(database)

  const open = ({ token }: TestWorkspace, tenant_id: string) =>
    product.call<Partial<Problem>>('/api/v1/tenants', { token, body: { tenant_id, name: 'Site' } })

  const remove = ({ token }: TestWorkspace, tenantId: string) =>
    product.call(`/api/v1/tenants/${tenantId}`, { method: 'DELETE', token })

  test('is never given to another workspace, whose tag would then answer on the old pages', async () => {
    const victim = await addWorkspace(product)
    const attacker = await addWorkspace(product)
    expect((await remove(victim, victim.tenantId)).status).toBe(204)
    const { status, body } = await open(attacker, victim.tenantId)
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect((await product.call(`/api/v1/widget/${victim.tenantId}/config`)).status).toBe(404)
  })

  test('can be used again by the same workspace, once at a time', async () => {
    const workspace = await addWorkspace(product)
    await remove(workspace, workspace.tenantId)
    const again = await Promise.all([
      open(workspace, workspace.tenantId),
      open(workspace, workspace.tenantId),
    ])
    expect(again.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 409,
    ])
  })
})
