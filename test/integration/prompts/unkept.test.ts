import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import type { TestWorkspace } from '../../helpers/product.ts'
import {
  NAME,
  type PromptProduct,
  execute,
  openPromptWorkspace,
  startPromptProduct,
} from './setup.ts'

describeOnBothDatabases('a run that the database does not take', (database) => {
  let product: PromptProduct
  let workspace: TestWorkspace

  beforeAll(async () => {
    product = await startPromptProduct(await database.create())
    workspace = await openPromptWorkspace(product)
    const { db } = product.ctx
    if (database.kind === 'sqlite') {
      await sql`
        create trigger full before insert on runs
        begin select raise(abort, 'no room'); end`.execute(db)
    } else {
      await sql`alter table runs add constraint room check (id = '') not valid`.execute(db)
    }
  })
  afterAll(() => product.stop())

  test.each([false, true])(
    'fails at once, however long the model is silent, and costs nothing (stream: %s)',
    async (stream) => {
      product.model.act = 'silence'
      const asked = { prompt_id: 'greeting', ...NAME, stream }
      const { status, body } = await execute(product, workspace, asked)
      expect(status).toBe(500)
      expect(body).toMatchObject({ code: 'internal' })
      for (const call of product.model.calls) await call.left

      const { token } = workspace
      const credits = await product.call('/api/v1/credits', { token })
      expect(credits.body).toMatchObject({ held: 0 })
      const runs = await product.call('/api/v1/runs', { token })
      expect(runs.body).toMatchObject({ data: [] })
    },
  )
})
