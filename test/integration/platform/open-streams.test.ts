import { afterEach, beforeEach, expect, test } from 'vitest'
import { extractiveAnswerer } from '../../../server/models/embedded/extractive.ts'
import type { TokenAnswer } from '../../../server/platform/schema.ts'
import type { CreatedApiKey } from '../../helpers/answers.ts'
import { describeOnBothDatabases, type DatabasePlace } from '../../helpers/databases.ts'
import {
  OPERATOR_TOKEN,
  type StartedProduct,
  type TestWorkspace,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { openStream } from '../../helpers/stream.ts'
import { eventually } from '../../helpers/eventually.ts'

describeOnBothDatabases('somebody who reads an answer as it is written', (database) => {
  let place: DatabasePlace
  let product: StartedProduct
  let workspace: TestWorkspace
  let aborted: boolean

  beforeEach(async () => {
    place = await database.create()
    product = await startTestProduct(place)
    workspace = await addWorkspace(product)
    aborted = false
    Object.assign(product.ctx, { extractive: neverEnding })
  })
  afterEach(() => product.stop())

  /** Writes one piece, and then thinks for as long as it may. */
  const neverEnding = {
    ...extractiveAnswerer,
    async *answer(...given: Parameters<typeof extractiveAnswerer.answer>) {
      yield { delta: 'Well, ' }
      const [, signal] = given
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve()
        signal.addEventListener('abort', () => resolve())
      })
      aborted = true
    },
  }
  const makeKey = async () =>
    (
      await product.call<CreatedApiKey>('/api/v1/api-keys', {
        token: workspace.token,
        body: { name: 'A program' },
      })
    ).body
  const ask = (token: string, of: StartedProduct = product) =>
    openStream(of, '/api/v1/chatbot/message', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ tenant_id: workspace.tenantId, message: 'Hello?', stream: true }),
    })
  const lastOf = (text: string) => JSON.parse(text.trim().split('data: ').at(-1) ?? '')

  test('with a key is told and shut out when the key is destroyed, and the model stops', async () => {
    const { id, key } = await makeKey()
    const others = await ask((await makeKey()).key)
    const own = await ask(key)
    await own.waitFor('Well, ')
    await product.call(`/api/v1/api-keys/${id}`, { method: 'DELETE', token: workspace.token })
    expect(lastOf(await own.end())).toEqual({
      error: { code: 'unauthenticated', detail: expect.stringContaining('destroyed') },
      done: true,
    })
    await eventually(() => expect(aborted).toBe(true))
    await others.waitFor('Well, ')
    expect(others.text()).not.toContain('"done"')
    others.leave()
  })

  test('with a key is told that the plan has no keys any more', async () => {
    const { key } = await makeKey()
    const stream = await ask(key)
    await stream.waitFor('Well, ')
    await product.call(`/api/v1/operator/workspaces/${workspace.id}`, {
      method: 'PATCH',
      token: OPERATOR_TOKEN,
      body: { plan: 'starter' },
    })
    expect(lastOf(await stream.end())).toMatchObject({ error: { code: 'not_in_plan' } })
  })

  test('with a login is shut out when a stolen refresh token ends it', async () => {
    const signedIn = await product.call<TokenAnswer>('/api/v1/auth/token', {
      body: { email: workspace.email, password: 'a long password' },
    })
    const { access_token, refresh_token } = signedIn.body
    const stream = await ask(access_token)
    await stream.waitFor('Well, ')
    const refresh = () => product.call('/api/v1/auth/refresh', { body: { refresh_token } })
    expect((await refresh()).status).toBe(200)
    expect((await refresh()).status).toBe(401)
    expect(lastOf(await stream.end())).toMatchObject({ error: { code: 'unauthenticated' } })
  })

  test('watches the inbox until signing out, and not a moment longer', async () => {
    const body = { email: workspace.email, password: 'a long password' }
    const here = await product.call<TokenAnswer>('/api/v1/auth/token', { body })
    const watch = (token: string) =>
      openStream(product, '/api/v1/live', { headers: { authorization: `Bearer ${token}` } })
    const stream = await watch(here.body.access_token)
    const elsewhere = await watch(workspace.token)
    const out = { method: 'POST', token: here.body.access_token }
    expect((await product.call('/api/v1/auth/logout', out)).status).toBe(204)
    expect(await stream.end()).toMatch(/event: reconnect\ndata: {"reason":"ended"}\s*$/)
    expect((await watch(here.body.access_token)).status).toBe(401)
    expect(elsewhere.text()).not.toContain('event: reconnect')
    elsewhere.leave()
  })

  if (database.kind === 'postgres') {
    test('is shut out by another process too', async () => {
      const other = await startTestProduct(place)
      try {
        Object.assign(other.ctx, { extractive: neverEnding })
        const { id, key } = await makeKey()
        const stream = await ask(key, other)
        await stream.waitFor('Well, ')
        await product.call(`/api/v1/api-keys/${id}`, { method: 'DELETE', token: workspace.token })
        expect(lastOf(await stream.end())).toMatchObject({ error: { code: 'unauthenticated' } })
      } finally {
        await other.stop()
      }
    })
  }
})
