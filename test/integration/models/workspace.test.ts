import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Model } from '../../../server/models/model.ts'
import type { ModelCheck, WorkspaceSettings } from '../../../server/workspaces/schema.ts'
import { saveChoices } from '../../../server/workspaces/store.ts'
import type { Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { type DatabasePlace, describeOnBothDatabases } from '../../helpers/databases.ts'
import { type ModelServer, startModelServer } from '../../helpers/servers/model-server.ts'
import {
  type StartedProduct,
  type TestWorkspace,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { listen } from './answering.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const KEY = 'sk-key-of-the-workspace'
const DEVELOPMENT = { ALLOW_PRIVATE_TARGETS: 'true' }

describeOnBothDatabases('the settings of a workspace', (database) => {
  let place: DatabasePlace
  let server: ModelServer
  let clock: TestClock
  const products: StartedProduct[] = []

  beforeEach(async () => {
    place = await database.create()
    server = await startModelServer()
    clock = new TestClock(NOW)
  })
  afterEach(async () => {
    for (const product of products.splice(0)) await product.stop()
    await server.close()
  })

  async function start(settings: Record<string, string> = DEVELOPMENT): Promise<StartedProduct> {
    const product = await startTestProduct(place, { clock, settings })
    products.push(product)
    return product
  }

  const change = (product: StartedProduct, { token }: TestWorkspace, body: object) =>
    product.call<WorkspaceSettings & Problem>('/api/v1/workspace', { method: 'PATCH', token, body })
  const chosen = () => ({
    provider: 'openai-compatible',
    base_url: server.url,
    model: 'small',
    api_key: KEY,
  })
  const first = async (product: StartedProduct, { id }: TestWorkspace): Promise<Model> => {
    const [model] = await product.ctx.models.candidates(id)
    if (!model) throw new Error('There is always a model.')
    return model
  }

  test('are shown, and changed one by one', async () => {
    const product = await start()
    const own = await addWorkspace(product)
    const { token } = own
    const before = await product.call<WorkspaceSettings & Problem>('/api/v1/workspace', { token })
    expect(before.body).toMatchObject({ ws_id: own.id, locale: 'tr', model: null })
    const after = await change(product, own, { name: ' Klinik ', time_zone: 'Europe/Berlin' })
    expect(after.status, after.text).toBe(200)
    expect(after.body).toMatchObject({
      name: 'Klinik',
      locale: 'tr',
      time_zone: 'Europe/Berlin',
      fallback_models: [],
    })
  })

  test.each([
    [{ time_zone: 'Mars/Olympus' }, '/time_zone'],
    [{ locale: 'klingon!' }, '/locale'],
    [{ model: { provider: 'anthropic' } }, '/model/model'],
    [{ model: { provider: 'somebody', model: 'x' } }, '/model/provider'],
    [{ model: { provider: 'anthropic', model: 'x', api_key: 'two\r\nlines' } }, '/model/api_key'],
    [{ plan: 'enterprise' }, '/plan'],
  ])('%o is refused', async (body, path) => {
    const product = await start()
    const answer = await change(product, await addWorkspace(product), body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors?.[0]?.path).toBe(path)
  })

  test('a chosen model answers with the workspace’s key, which nobody is shown', async () => {
    const product = await start()
    const own = await addWorkspace(product)
    const answer = await change(product, own, { model: chosen() })
    expect(answer.body.model).toEqual({
      provider: 'openai-compatible',
      base_url: server.url,
      model: 'small',
      image_model: null,
      has_api_key: true,
    })
    expect(answer.text).not.toContain(KEY)
    const { choices } = await product.ctx.db
      .selectFrom('model_choices')
      .select('choices')
      .executeTakeFirstOrThrow()
    expect(choices).not.toContain(KEY)
    expect((await listen(await first(product, own))).text).toBe('Hello')
    expect(server.calls[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  test('the stored models are tested in their order, and a failure is an answer', async () => {
    const product = await start()
    const own = await addWorkspace(product)
    const check = () =>
      product.call<{ data: ModelCheck[] }>('/api/v1/workspace/model/test', {
        method: 'POST',
        token: own.token,
      })
    await change(product, own, { model: { provider: 'embedded' } })
    expect((await check()).body.data).toMatchObject([{ provider: 'embedded', ok: true }])
    const gone = { ...chosen(), base_url: 'http://127.0.0.1:9/v1' }
    await change(product, own, { model: gone, fallback_models: [chosen()] })
    const checked = await check()
    expect(checked.body.data).toMatchObject([
      { provider: 'openai-compatible', ok: false, detail: expect.any(String) },
      { provider: 'openai-compatible', ok: true, detail: null },
    ])
    expect(checked.text).not.toContain(KEY)
  })

  test('a key stays with its address and never goes to another one', async () => {
    const product = await start()
    const own = await addWorkspace(product)
    const { api_key: _, ...keyless } = chosen()
    await change(product, own, { model: chosen() })
    const renamed = await change(product, own, { model: { ...keyless, model: 'large' } })
    expect(renamed.body.model).toMatchObject({ model: 'large', has_api_key: true })
    const moved = await change(product, own, {
      model: { ...keyless, base_url: 'https://elsewhere.example.com/v1' },
    })
    expect(moved.body.model?.has_api_key).toBe(false)
    const away = await change(product, own, { model: { ...chosen(), api_key: null } })
    expect(away.body.model?.has_api_key).toBe(false)
  })

  test('others are tried after the first, and the installation’s last', async () => {
    const product = await start({
      ...DEVELOPMENT,
      MODEL_PROVIDER: 'openai-compatible',
      MODEL_BASE_URL: server.url,
      MODEL_NAME: 'house',
    })
    const own = await addWorkspace(product)
    const names = async () =>
      (await product.ctx.models.candidates(own.id)).map((model) => model.name)
    expect(await names()).toEqual(['openai-compatible'])
    const anthropic = { provider: 'anthropic', model: 'large', api_key: KEY }
    await change(product, own, { model: anthropic, fallback_models: [chosen()] })
    expect(await names()).toEqual(['anthropic', 'openai-compatible', 'openai-compatible'])
    await change(product, own, { model: { provider: 'embedded' }, fallback_models: [] })
    expect(await names()).toEqual(['embedded'])
    await change(product, own, { model: null })
    expect(await names()).toEqual(['openai-compatible'])
    expect((await listen(await first(product, own))).end?.model).toBe('house')
  })

  test('an address inside the network is refused, when it is saved and when it is called', async () => {
    const product = await start({})
    const own = await addWorkspace(product)
    const refused = await change(product, own, { fallback_models: [chosen()] })
    expect(refused.status).toBe(422)
    expect(refused.body.errors?.[0]?.path).toBe('/fallback_models/0/base_url')
    const { provider: _, ...rest } = chosen()
    const stored = { ...rest, provider: 'anthropic', image_model: null, api_key: null } as const
    await saveChoices(product.ctx.db, own.id, [stored], NOW)
    const called = listen(await first(product, own))
    await expect(called).rejects.toMatchObject({ kind: 'failed', isTransient: false })
    expect(server.calls).toHaveLength(0)
  })

  test('only those who manage the workspace change it, and only their own', async () => {
    const product = await start()
    const own = await addWorkspace(product)
    const stranger = await addWorkspace(product)
    await product.ctx.db
      .updateTable('users')
      .set({ role: 'operator' })
      .where('workspace_id', '=', own.id)
      .execute()
    expect((await change(product, own, { name: 'Mine' })).status).toBe(403)
    await change(product, stranger, { name: 'Theirs', model: chosen() })
    const seen = await product.call<WorkspaceSettings & Problem>('/api/v1/workspace', {
      token: own.token,
    })
    expect(seen.body.name).not.toBe('Theirs')
    expect(seen.body.model).toBeNull()
    expect((await first(product, own)).name).toBe('embedded')
  })

  // The embedded database has one process.
  if (database.kind === 'postgres') {
    test('are known to another process within 5 s', async () => {
      const here = await start()
      const there = await start()
      const own = await addWorkspace(here)
      expect((await first(there, own)).name).toBe('embedded')
      await change(here, own, { model: chosen() })
      expect((await first(here, own)).name).toBe('openai-compatible')
      clock.move(5_000)
      expect((await first(there, own)).name).toBe('openai-compatible')
    })
  }
})
