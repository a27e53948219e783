import { connect } from 'node:net'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type ExtractiveAnswerer,
  extractiveAnswerer,
} from '../../../../server/models/embedded/extractive.ts'
import type { CreditsAnswer, Page } from '../../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'
import { eventually } from '../../../helpers/eventually.ts'

const PATH = '/api/v1/chatbot/message'

describeOnBothDatabases('a visitor who leaves', (database) => {
  let workspace: TestWorkspace
  let visitor: string
  let asked = 0

  const product = useProduct(database, { settings: { LOG_LEVEL: 'silent' } })
  beforeAll(async () => {
    workspace = await addWorkspace(product)
    visitor = await addVisitor(product, workspace)
  })
  afterEach(() => void Object.assign(product.ctx, { extractive: extractiveAnswerer }))

  /** Puts a model in the product's place of one, until the test is over. */
  const useModel = (parts: Partial<ExtractiveAnswerer>) =>
    void Object.assign(product.ctx, { extractive: { ...extractiveAnswerer, ...parts } })

  /** Sends a message over a connection of its own; the answer is of no interest. */
  function send(message: string, options: { stream: boolean; requestId?: string }) {
    const body = JSON.stringify({
      tenant_id: workspace.tenantId,
      message,
      stream: options.stream,
    })
    const { hostname, port } = new URL(product.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.write(
      [
        `POST ${PATH} HTTP/1.1`,
        `host: ${hostname}`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(body)}`,
        `authorization: Bearer ${visitor}`,
        ...(options.requestId ? [`x-request-id: ${options.requestId}`] : []),
        '',
        body,
      ].join('\r\n'),
    )
    return socket
  }

  const credits = async () => {
    const { token } = workspace
    return (await product.call<CreditsAnswer>('/api/v1/credits', { token })).body
  }

  /** The roles of the messages in the visitor's latest session, in order. */
  async function latest(): Promise<string[]> {
    const sessions = await product.call<Page<{ session_id: string }>>('/api/v1/chatbot/sessions', {
      token: visitor,
    })
    const id = sessions.body.data[0]?.session_id ?? ''
    const said = await product.call<Page<{ role: string }>>(
      `/api/v1/chatbot/sessions/${id}/messages`,
      { token: visitor },
    )
    return said.body.data.map(({ role }) => role)
  }

  test.each([
    ['as a stream', true],
    ['in one piece', false],
  ])('before the answer begins finds it under the same id, %s', async (_, stream) => {
    for (let round = 0; round < 5; round += 1) {
      asked += 1
      const requestId = `left-early-${asked}`
      const message = `Question ${asked}`
      const socket = send(message, { stream, requestId })
      const began = Promise.withResolvers<void>()
      useModel({
        maxUsage(question) {
          socket.resetAndDestroy()
          began.resolve()
          return extractiveAnswerer.maxUsage(question)
        },
      })
      await began.promise
      // The first call has the id before the second one asks for it.
      await eventually(async () => {
        const claimed = await product.ctx.db
          .selectFrom('idempotency')
          .select('state')
          .where('request_id', '=', requestId)
          .executeTakeFirst()
        expect(claimed).toBeDefined()
      })
      const again = () =>
        product.call(PATH, {
          token: visitor,
          headers: { 'x-request-id': requestId },
          body: { tenant_id: workspace.tenantId, message, stream },
        })
      const answer = await eventually(async () => {
        const latestAnswer = await again()
        expect(latestAnswer.status).not.toBe(409)
        return latestAnswer
      })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.headers.get('idempotent-replayed')).toBe('true')
      expect(await latest()).toEqual(['visitor', 'assistant'])
    }
    expect((await credits()).held).toBe(0)
  })

  describe('without an id stops the model', () => {
    test.each([
      ['of a stream', true],
      ['of one piece', false],
    ])('%s, and pays nothing when it had written nothing', async (_, stream) => {
      const before = await credits()
      const began = Promise.withResolvers<void>()
      const stopped = Promise.withResolvers<void>()
      useModel({
        async *answer(request, signal) {
          began.resolve()
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          stopped.resolve()
          yield* extractiveAnswerer.answer(request, signal)
        },
      })
      const socket = send('Are you there?', { stream })
      await began.promise
      socket.resetAndDestroy()
      await stopped.promise
      await eventually(async () => expect(await credits()).toEqual(before))
      expect(await latest()).toEqual(['visitor'])
    })
  })

  test('is told of a failure before the first word by the status, in a stream too', async () => {
    useModel({
      // oxlint-disable-next-line require-yield
      async *answer() {
        throw new Error('The model is gone.')
      },
    })
    for (const stream of [true, false]) {
      const answer = await product.call(PATH, {
        token: visitor,
        body: { tenant_id: workspace.tenantId, message: 'Hello?', stream },
      })
      expect(answer.status, answer.text).toBe(500)
      expect(answer.headers.get('content-type')).toMatch(/problem\+json/)
    }
    expect((await credits()).held).toBe(0)
  })
})
