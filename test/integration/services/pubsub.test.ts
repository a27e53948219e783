import { Redis } from 'ioredis'
import { afterAll, expect, test } from 'vitest'
import { openLog } from '../../../server/boot/log.ts'
import { openPubSub } from '../../../server/pubsub/pubsub.ts'
import { startProxy } from '../../helpers/servers/proxy.ts'
import { eventually } from '../../helpers/eventually.ts'

const url = process.env.TEST_REDIS_URL ?? ''
const log = openLog('silent', false)
const closings: (() => void)[] = []
afterAll(() => {
  for (const close of closings) close()
})

/** A process on the pubsub, and what its listener of `deliveries` has heard. */
function join(at: string) {
  const redis = new Redis(at, { maxRetriesPerRequest: 1, enableOfflineQueue: false })
  redis.on('error', () => undefined)
  const pubsub = openPubSub(redis, log)
  const heard: string[] = []
  pubsub.subscribe('deliveries', (text) => heard.push(text))
  closings.push(() => {
    pubsub.close()
    redis.disconnect()
  })
  return { pubsub, heard }
}

test('a process hears what another one says, once, and what it says itself', async () => {
  const [one, other] = [join(url), join(url)]
  await eventually(() => {
    one.pubsub.publish('deliveries', 'wake up')
    expect(other.heard).toContain('wake up')
  })
  one.pubsub.publish('deliveries', 'two words')
  expect(one.heard.filter((text) => text === 'two words')).toHaveLength(1)
  await eventually(() => expect(other.heard).toContain('two words'))
  one.pubsub.publish('something else', 'not for them')
  one.pubsub.publish('deliveries', 'the end')
  await eventually(() => expect(other.heard).toContain('the end'))
  expect(other.heard.filter((text) => text === 'two words')).toHaveLength(1)
  expect(other.heard).not.toContain('not for them')
})

test('processes go on without Redis, and hear each other again when it is back', async () => {
  const proxy = await startProxy(url)
  closings.push(() => void proxy.close())
  const [one, other] = [join(url), join(proxy.url)]
  await eventually(() => {
    one.pubsub.publish('deliveries', 'before')
    expect(other.heard).toContain('before')
  })
  await proxy.cut()
  other.pubsub.publish('deliveries', 'to myself')
  expect(other.heard).toContain('to myself')
  await proxy.heal()
  await eventually(() => {
    one.pubsub.publish('deliveries', 'after')
    expect(other.heard).toContain('after')
  })
})

test('without Redis the pubsub stays in the process', () => {
  const pubsub = openPubSub(undefined, log)
  const heard: string[] = []
  const stop = pubsub.subscribe('live', (text) => heard.push(text))
  pubsub.publish('live', 'now')
  stop()
  pubsub.publish('live', 'too late')
  expect(heard).toEqual(['now'])
})
