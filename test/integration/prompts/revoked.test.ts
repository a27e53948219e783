import { beforeAll, expect, test } from 'vitest'
import type { CreatedApiKey, CreditsAnswer, Page, Run } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import type { TestWorkspace } from '../../helpers/product.ts'
import { NAME, eventsOf, execute, openPromptWorkspace, usePromptProduct } from './setup.ts'
import { eventually } from '../../helpers/eventually.ts'

const ASKED = { prompt_id: 'greeting', ...NAME, stream: true }

describeOnDatabase('a key that is destroyed while its run waits for the model', (database) => {
  let workspace: TestWorkspace

  const product = usePromptProduct(database)
  beforeAll(async () => {
    workspace = await openPromptWorkspace(product)
  })

  async function createKey() {
    const { token } = workspace
    const { body } = await product.call<CreatedApiKey>('/api/v1/api-keys', {
      token,
      body: { name: 'For a while' },
    })
    const destroy = () => product.call(`/api/v1/api-keys/${body.id}`, { token, method: 'DELETE' })
    return { key: body.key, destroy }
  }

  /** The last run once it has ended, and what is still held. */
  async function lastRun() {
    const { token } = workspace
    return eventually(async () => {
      const runs = await product.call<Page<Run>>('/api/v1/runs?limit=1', {
        token,
      })
      expect(runs.body.data[0]?.state).not.toBe('running')
      const credits = await product.call<CreditsAnswer>('/api/v1/credits', { token })
      return { ...runs.body.data[0], held: credits.body.held }
    })
  }

  test('before the first piece: a 401, the model is stopped, and nothing is charged', async () => {
    product.model.act = { text: ['Never'], silentAfter: 0 }
    const before = product.model.calls.length
    const { key, destroy } = await createKey()
    const answer = execute(product, { token: key }, ASKED)
    const calls = await product.model.waitFor(before + 1)
    await destroy()
    expect((await answer).status).toBe(401)
    await calls.at(-1)?.left
    expect(await lastRun()).toMatchObject({ state: 'failed', credits_used: 0, held: 0 })
  })

  test('in the middle: the stream ends, the model is stopped, and what it made is paid', async () => {
    product.model.act = { text: ['One', ' two', ' three'], silentAfter: 2 }
    const before = product.model.calls.length
    const { key, destroy } = await createKey()
    const { promise: begun, resolve } = Promise.withResolvers<void>()
    const answer = readWith(key, resolve)
    await begun
    await destroy()
    expect(eventsOf(await answer).at(-1)).toMatchObject({ error: { code: 'unauthenticated' } })
    await product.model.calls[before]?.left
    expect(await lastRun()).toMatchObject({ finish_reason: 'aborted', credits_used: 8, held: 0 })
  })

  /** Reads a stream to its end; tells when its first piece was there. */
  async function readWith(key: string, onFirst: () => void): Promise<string> {
    const response = await fetch(`${product.url}/api/v1/prompts/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(ASKED),
    })
    let text = ''
    for await (const bytes of response.body ?? []) {
      text += Buffer.from(bytes).toString('utf8')
      onFirst()
    }
    return text
  }
})
