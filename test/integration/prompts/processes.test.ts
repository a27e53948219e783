import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { startTestProduct } from '../../helpers/product.ts'
import {
  NAME,
  execute,
  modelSettings,
  openPromptWorkspace,
  startPromptProduct,
  usePromptProduct,
} from './setup.ts'

// More than all the buffers of the sockets on the way can take.
const LONG = 40_000_000

describeOnBothDatabases('runs beside each other', (database) => {
  const product = usePromptProduct(database)

  test('a reader who takes it slowly gets all of a long answer, and holds nobody up', async () => {
    const workspace = await openPromptWorkspace(product)
    const piece = 'x'.repeat(50_000)
    product.model.act = { text: Array.from({ length: LONG / piece.length }, () => piece) }
    const response = await fetch(`${product.url}/api/v1/prompts/execute`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${workspace.token}`,
      },
      body: JSON.stringify({ prompt_id: 'greeting', ...NAME, stream: true }),
    })
    const reader = response.body?.getReader()
    await reader?.read()
    // The model cannot have been read to its end while nobody reads here.
    const [call] = product.model.calls.slice(-1)
    expect(call?.isAnswered).toBe(false)
    product.model.act = { text: ['Quick'] }
    const other = await execute(product, workspace, { prompt_id: 'greeting', ...NAME })
    expect(other.body.content).toBe('Quick')
    expect(call?.isAnswered).toBe(false)
    let last = ''
    for (;;) {
      const next = await reader?.read()
      if (!next || next.done) break
      last = (last + Buffer.from(next.value).toString('latin1')).slice(-400)
    }
    expect(last).toContain('"done":true')
    expect(last).toContain('"finish_reason":"stop"')
  })
})

describeOnBothDatabases('processes of one installation', (database) => {
  test('sell credits for one run once', async () => {
    const place = await database.create()
    const one = await startPromptProduct(place)
    // Only Postgres takes a second process.
    const settings = { ...modelSettings(one.model), LIMIT_EXECUTE: '0' }
    const other = place.databaseUrl ? await startTestProduct(place, { settings }) : undefined
    try {
      const workspace = await openPromptWorkspace(one, { credits: 8 })
      one.model.act = { text: ['Sold'], headAfterMs: 50 }
      const products = Array.from({ length: 100 }, () => [one, other ?? one]).flat()
      const answers = await Promise.all(
        products.map((product) => execute(product, workspace, { prompt_id: 'greeting', ...NAME })),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 402)).toHaveLength(199)
      expect(one.model.calls).toHaveLength(1)
    } finally {
      await other?.stop()
      await one.stop()
    }
  })

  test('run the current version of a prompt, whichever of them changed it', async () => {
    const place = await database.create()
    const one = await startPromptProduct(place)
    const settings = { ...modelSettings(one.model), LIMIT_EXECUTE: '0' }
    const other = place.databaseUrl ? await startTestProduct(place, { settings }) : undefined
    try {
      const workspace = await openPromptWorkspace(one)
      const path = '/api/v1/prompts/greeting'
      const run = () => execute(one, workspace, { prompt_id: 'greeting', ...NAME })
      expect((await run()).body.prompt_version).toBe(1)
      const { token } = workspace
      const { body: found } = await one.call<Record<string, unknown>>(path, { token })
      const definition = {
        title: found.title,
        kind: found.kind,
        inputs_schema: found.inputs_schema,
        credits_cost: found.credits_cost,
      }
      const changed = { ...definition, template: 'Goodbye {{name}}' }
      await (other ?? one).call(path, { method: 'PUT', token, body: changed })
      expect((await run()).body.prompt_version).toBe(2)
      expect(JSON.stringify(one.model.calls.at(-1)?.body)).toContain('Goodbye')
      // A field that the version before did not know.
      const schema = { type: 'object', properties: { topic: { type: 'string' } } }
      const widened = { ...definition, template: 'About {{topic}}', inputs_schema: schema }
      await (other ?? one).call(path, { method: 'PUT', token, body: widened })
      const about = { prompt_id: 'greeting', inputs: { topic: 'tea' } }
      expect((await execute(one, workspace, about)).body.prompt_version).toBe(3)
      await (other ?? one).call(path, { method: 'DELETE', token })
      expect((await run()).status).toBe(404)
    } finally {
      await other?.stop()
      await one.stop()
    }
  })
})
