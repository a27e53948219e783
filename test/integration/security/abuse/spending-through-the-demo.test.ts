import { expect, test } from 'vitest'
import { readConfig } from '../../../../server/config.ts'
import { DEMO_TENANT } from '../../../../server/demo/seed.ts'
import { embeddedModel } from '../../../../server/models/embedded/embedded-model.ts'
import { findTenant } from '../../../../server/tenants/tenants.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { addWorkspace, startTestProduct } from '../../../helpers/product.ts'

const MODEL = {
  MODEL_PROVIDER: 'openai-compatible',
  MODEL_BASE_URL: 'http://127.0.0.1:9/v1',
  MODEL_NAME: 'paid',
}

test('a demo shop is not opened in production, nor beside a paid model, unless asked for', () => {
  expect(readConfig({}).seed).toBe('demo')
  expect(readConfig({ NODE_ENV: 'production' }).seed).toBe('none')
  expect(readConfig(MODEL).seed).toBe('none')
  expect(readConfig({ ...MODEL, SEED: 'demo' }).seed).toBe('demo')
})

describeOnDatabase('a stranger who talks to the demo shop', (database) => {
  test('is answered by the embedded model alone, which costs nothing', async () => {
    const settings = { ...MODEL, SEED: 'demo' }
    const product = await startTestProduct(await database.createEmpty(), { settings })
    const demo = await findTenant(product.ctx.db, DEMO_TENANT)
    const { id } = await addWorkspace(product)
    const used = await product.ctx.models.candidates(demo?.workspace_id ?? '')
    const [paid] = await product.ctx.models.candidates(id)
    await product.stop()
    expect(used).toEqual([embeddedModel])
    expect(paid?.defaults?.text).toBe('paid')
  })
})
