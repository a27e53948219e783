import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import type { TestWorkspace } from '../../helpers/product.ts'
import { NAME, execute, openPromptWorkspace, usePromptProduct } from './setup.ts'

describeOnBothDatabases('a run that the database does not take', (database) => {
  let workspace: TestWorkspace

  const product = usePromptProduct(database)
  beforeAll(async () => {
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
