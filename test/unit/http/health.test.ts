import underPressure from '@fastify/under-pressure'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { rejectUnderPressure } from '../../../server/http/health.ts'

/** Stands for the work of a start on a slow machine: the plugin looks at its clock once a second. */
const SLOW_START_MS = 1_100

test('a process whose start took long answers at once', async () => {
  const app = Fastify()
  const pressureHandler = rejectUnderPressure
  await app.register(underPressure, { maxEventLoopDelay: 3_000, pressureHandler })
  app.get('/', async () => 'here')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLOW_START_MS)
  await app.listen({ port: 0, host: '127.0.0.1' })
  // The plugin has looked by then, and found no time measured.
  await expect.poll(() => app.memoryUsage().eventLoopDelay).toBe(Infinity)
  expect((await app.inject('/')).body).toBe('here')
  await app.close()
})

test('a process that is slow refuses from the start', async () => {
  await expect(rejectUnderPressure({}, {}, 'eventLoopDelay', 3_500)).rejects.toMatchObject({
    code: 'overloaded',
    headers: { 'retry-after': '5' },
  })
})
