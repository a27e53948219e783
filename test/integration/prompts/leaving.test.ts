import { beforeAll, expect, test } from 'vitest'
import { transaction } from '../../../server/context.ts'
import { claimRequest } from '../../../server/platform/idempotency.ts'
import type { RunAnswer } from '../../../server/prompts/schema.ts'
import type { Me, Page, Problem, Run } from '../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { startModelServer } from '../../helpers/servers/model-server.ts'
import { startTestProcess } from '../../helpers/process.ts'
import { type TestProduct, type TestWorkspace, callOver } from '../../helpers/product.ts'
import {
  NAME,
  eventsOf,
  execute,
  modelSettings,
  openPromptWorkspace,
  usePromptProduct,
} from './setup.ts'
import { eventually } from '../../helpers/eventually.ts'

const SLOW = { text: ['One', ' two', ' three', ' four'], everyMs: 150 }

describeOnBothDatabases('a caller who leaves, or comes back', (database) => {
  let workspace: TestWorkspace

  const product = usePromptProduct(database)
  beforeAll(async () => {
    workspace = await openPromptWorkspace(product)
  })

  /** Reads the first event of a stream and hangs up. */
  async function readAndLeave(prompt_id: string, headers: Record<string, string>): Promise<void> {
    const leave = new AbortController()
    const response = await fetch(`${product.url}/api/v1/prompts/execute`, {
      method: 'POST',
      signal: leave.signal,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${workspace.token}`,
        ...headers,
      },
      body: JSON.stringify({ prompt_id, ...NAME, stream: true }),
    })
    const reader = response.body?.getReader()
    await reader?.read()
    leave.abort()
  }

  async function lastRun() {
    return eventually(async () => {
      const { body } = await product.call<Page<Run>>('/api/v1/runs?limit=1', {
        token: workspace.token,
      })
      expect(body.data[0]?.state).not.toBe('running')
      return body.data[0]
    })
  }

  test('without an id: the model is stopped, and what it made is paid for', async () => {
    product.model.act = SLOW
    const before = product.model.calls.length
    await readAndLeave('greeting', {})
    const calls = await product.model.waitFor(before + 1)
    await calls.at(-1)?.left
    expect(await lastRun()).toMatchObject({ finish_reason: 'aborted', credits_used: 8 })
    await readAndLeave('expert', {})
    const bot = await lastRun()
    expect(bot).toMatchObject({ finish_reason: 'aborted', usage_estimated: true })
  })

  test('with an id: the run goes on, and the answer waits', async () => {
    product.model.act = SLOW
    const headers = { 'x-request-id': 'come-back' }
    await readAndLeave('greeting', headers)
    expect(await lastRun()).toMatchObject({ finish_reason: 'stop' })
    const again = await execute(
      product,
      workspace,
      { prompt_id: 'greeting', ...NAME, stream: true },
      headers,
    )
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(eventsOf(again.text)).toEqual([
      { delta: 'One two three four' },
      expect.objectContaining({ done: true, credits_used: 8 }),
    ])
  })

  test('fifty at once under one id are one run', async () => {
    product.model.act = { text: ['Once'], headAfterMs: 100 }
    const before = product.model.calls.length
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        execute(
          product,
          workspace,
          { prompt_id: 'greeting', ...NAME },
          { 'x-request-id': 'fifty-at-once' },
        ),
      ),
    )
    const codes = answers.map(({ status, body }) => (status === 200 ? 'answered' : body.code))
    expect(codes.filter((code) => code === 'request_in_progress').length).toBeGreaterThan(0)
    expect(new Set(codes)).toEqual(new Set(['answered', 'request_in_progress']))
    expect(product.model.calls.length - before).toBe(1)
    const runs = answers.filter(({ status }) => status === 200).map(({ body }) => body.run_id)
    expect(new Set(runs).size).toBe(1)
  })

  test('another body under the same id is a conflict; another order of its fields is not', async () => {
    product.model.act = { text: ['Once'] }
    const headers = { 'x-request-id': 'same-or-not' }
    const first = await execute(product, workspace, { prompt_id: 'greeting', ...NAME }, headers)
    const same = await product.call<RunAnswer & Problem>('/api/v1/prompts/execute', {
      token: workspace.token,
      headers,
      raw: '{ "stream": false,  "inputs": {"name": "Ada"}, "prompt_id": "greeting" }',
    })
    expect(same.body.run_id).toBe(first.body.run_id)
    const other = await execute(
      product,
      workspace,
      { prompt_id: 'greeting', inputs: { name: 'Bob' } },
      headers,
    )
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict'])
  })

  test('an id whose run died with its process is free again, for another body too', async () => {
    product.model.act = { text: ['Again'] }
    const me = await product.call<Me>('/api/v1/auth/me', workspace)
    const died = {
      workspaceId: workspace.id,
      caller: me.body.user.id,
      route: 'prompts/execute',
      requestId: 'died-with-its-process',
      digest: 'of another body',
    }
    await transaction(product.ctx, (tx) => claimRequest(tx, died))
    const again = () =>
      execute(
        product,
        workspace,
        { prompt_id: 'greeting', ...NAME },
        { 'x-request-id': died.requestId },
      )
    expect((await again()).body.code).toBe('idempotency_conflict')
    await product.ctx.db.updateTable('idempotency').set({ lease_until: 0 }).execute()
    expect((await again()).body.content).toBe('Again')
  })

  test('a paid run is answered again even when nothing is left', async () => {
    const poor = await openPromptWorkspace(product, { credits: 8 })
    product.model.act = { text: ['Paid'] }
    const headers = { 'x-request-id': 'paid-already' }
    const asked = { prompt_id: 'greeting', ...NAME }
    const first = await execute(product, poor, asked, headers)
    expect(first.body.credits_remaining).toBe(0)
    const again = await execute(product, poor, asked, headers)
    expect([again.status, again.body.run_id]).toEqual([200, first.body.run_id])
    expect((await execute(product, poor, asked)).status).toBe(402)
  })
})

describeOnBothDatabases('a caller who leaves before a whole answer', (database) => {
  test('is no defect, and the log shows none', async () => {
    const model = await startModelServer(() => 'silence')
    const running = await startTestProcess(await database.create(), modelSettings(model))
    try {
      const product: Pick<TestProduct, 'call'> = {
        call: (path, options = {}) => callOver(running.url, path, options),
      }
      const { token } = await openPromptWorkspace(product)
      const leave = new AbortController()
      const answer = fetch(`${running.url}/api/v1/prompts/execute`, {
        method: 'POST',
        signal: leave.signal,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ prompt_id: 'picture', ...NAME }),
      })
      const [call] = await model.waitFor(1)
      leave.abort()
      await expect(answer).rejects.toThrow('aborted')
      await call?.left
      expect(await running.end('SIGTERM')).toBe(0)
      expect(running.printed()).not.toContain('went wrong')
    } finally {
      await running.end('SIGKILL')
      await model.close()
    }
  })
})
