import { expect, onTestFinished, test } from 'vitest'
import type { Problem } from '../../helpers/answers.ts'
import { describeOnPostgres } from '../../helpers/databases.ts'
import { startTestProcess } from '../../helpers/process.ts'
import { METRICS_TOKEN, callOver } from '../../helpers/product.ts'

const SERVED_BY_OTHERS = [
  '/',
  '/demo',
  '/widget.js',
  '/panel',
  '/docs/',
  '/api/v1/openapi.json',
  '/api/v1/auth/me',
]

describeOnPostgres('a worker', (database) => {
  test('serves health and metrics alone', async () => {
    const settings = { ROLE: 'worker', METRICS_TOKEN }
    const worker = await startTestProcess(await database.create(), settings)
    onTestFinished(async () => {
      await worker.end('SIGKILL')
    })
    const call = (path: string, options = {}) => callOver<Problem>(worker.url, path, options)
    for (const path of SERVED_BY_OTHERS) {
      const { status, headers, body } = await call(path)
      expect([path, status, body.code]).toEqual([path, 404, 'not_found'])
      expect(headers.get('content-type')).toContain('application/problem+json')
    }
    const message = { body: { tenant_id: 'shop', message: 'Hello?' } }
    expect((await call('/api/v1/chatbot/message', message)).status).toBe(404)
    expect((await call('/health/live')).status).toBe(200)
    expect((await call('/health/ready')).status).toBe(200)
    expect((await call('/metrics')).status).toBe(401)
    const metrics = await call('/metrics', { token: METRICS_TOKEN })
    expect(metrics.text).toContain('sohbet_delivery_queue_depth')
    expect(worker.printed()).not.toMatch(/\/(?:widget\.js|panel|docs)/)
    expect(await worker.end('SIGTERM')).toBe(0)
  })
})
