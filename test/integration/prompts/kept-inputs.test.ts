import { expect, test } from 'vitest'
import { DAY_MS } from '../../../server/lib/durations.ts'
import { expireRunInputs } from '../../../server/privacy/run-inputs.ts'
import type { Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { addMember } from '../../helpers/members.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { withoutRandomParts } from '../../helpers/random-parts.ts'
import { addPrompt, execute, usePromptProduct } from './setup.ts'

interface ReadRun extends Problem {
  has_inputs: boolean
  inputs: Record<string, unknown> | null
}

const INPUTS = { name: 'Ada İ\n', days: [1, 2], isNew: true }

describeOnBothDatabases('the inputs of a run', (database) => {
  const clock = new TestClock(Date.now())
  const product = usePromptProduct(database, { clock })

  async function opened(tenant: Record<string, unknown> = {}): Promise<TestWorkspace> {
    const workspace = await addWorkspace(product, { tenant })
    await addPrompt(product, workspace, {
      template: 'Greet.',
      inputs_schema: { type: 'object' },
      credits_cost: 1,
    })
    product.model.act = { text: ['Hello'] }
    return workspace
  }
  async function run(caller: { token: string }, inputs: Record<string, unknown> = INPUTS) {
    const { body } = await execute(product, caller, { prompt_id: 'greeting', inputs })
    return `/api/v1/runs/${body.run_id}`
  }
  const read = async (token: string, path: string) =>
    (await product.call<ReadRun>(path, { token })).body

  test('come back to the user who ran it, to owners and to admins', async () => {
    const own = await opened()
    const admin = await addMember(product, own, { role: 'admin' })
    const operator = await addMember(product, own, { role: 'operator' })
    const path = await run(own)
    expect(await read(own.token, path)).toMatchObject({ has_inputs: true, inputs: INPUTS })
    expect((await read(admin.token, path)).inputs).toEqual(INPUTS)
    const hidden = { has_inputs: false, inputs: null }
    expect(await read(operator.token, path)).toMatchObject(hidden)
    const listed = await product.call('/api/v1/runs', { token: operator.token })
    expect(listed.body).toMatchObject({ data: [{ has_inputs: false }] })
    expect(withoutRandomParts(listed.text)).not.toContain('Ada')
    expect((await read(operator.token, await run(operator))).inputs).toEqual(INPUTS)

    const key = await product.call<{ key: string }>('/api/v1/api-keys', {
      token: own.token,
      body: { name: 'Site' },
    })
    expect((await read(key.body.key, path)).inputs).toEqual(INPUTS)
    expect(await read(key.body.key, await run(operator))).toMatchObject(hidden)
    expect(await read(own.token, await run({ token: key.body.key }))).toMatchObject(hidden)
    const other = await opened()
    expect((await product.call(path, { token: other.token })).status).toBe(403)
  })

  test('are kept for a failed run, and not beyond 32,768 bytes', async () => {
    const own = await opened()
    expect(await read(own.token, await run(own, { name: 'x'.repeat(32_768) }))).toMatchObject({
      has_inputs: false,
      inputs: null,
    })
    product.model.act = { status: 400 }
    await execute(product, own, { prompt_id: 'greeting', inputs: INPUTS })
    const runs = await product.call('/api/v1/runs', { token: own.token })
    expect(runs.body).toMatchObject({ data: [{ state: 'failed', has_inputs: true }, {}] })
  })

  test('are erased after 30 days, or the shortest retention of the sites', async () => {
    const usual = await opened()
    const strict = await opened({ privacy: { retention_days: 7 } })
    const paths = [await run(usual), await run(strict)]
    const remaining = async () => {
      await expireRunInputs(product.ctx)
      const rows = await product.ctx.db.selectFrom('runs').select(['id', 'inputs']).execute()
      const kept = new Map(rows.map(({ id, inputs }) => [id, inputs !== null]))
      return paths.map((path) => kept.get(path.slice('/api/v1/runs/'.length)))
    }
    clock.move(6 * DAY_MS)
    expect(await remaining()).toEqual([true, true])
    clock.move(2 * DAY_MS)
    expect(await remaining()).toEqual([true, false])
    clock.move(23 * DAY_MS)
    expect(await remaining()).toEqual([false, false])
  })

  test('are erased with the member, and the runs stay', async () => {
    const own = await opened()
    const member = await addMember(product, own)
    const [theirs, mine] = [await run(member), await run(own)]
    const path = `/api/v1/members/${member.id}`
    const removed = await product.call(path, { token: own.token, method: 'DELETE' })
    expect(removed.status).toBe(204)
    expect(await read(own.token, theirs)).toMatchObject({ state: 'done', inputs: null })
    expect((await read(own.token, mine)).inputs).toEqual(INPUTS)
  })
})
