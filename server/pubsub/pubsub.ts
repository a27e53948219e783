import type { FastifyBaseLogger } from 'fastify'
import type { Redis } from 'ioredis'
import { randomText } from '../lib/ids.ts'

const REDIS_CHANNEL = 'sohbet:bus'
const SENDER_LENGTH = 12

declare module '../context.ts' {
  interface Services {
    /** Reaches every process of the installation. */
    readonly pubsub: PubSub
  }
}

/**
 * Publish/subscribe between the processes of an installation, the publishing one included. Best
 * effort: messages are lost while Redis is away, so each subscriber polls as well.
 */
export interface PubSub {
  /** Calls the subscribers of this process before it returns; those of others soon after. */
  publish(channel: string, text: string): void
  /** Subscribes; the returned function unsubscribes. */
  subscribe(channel: string, subscriber: (text: string) => void): () => void
  close(): void
}

/** Opens publish/subscribe through Redis or Valkey; without one it stays in this process. */
export function openPubSub(redis: Redis | undefined, log: FastifyBaseLogger): PubSub {
  const subscribers = new Map<string, Set<(text: string) => void>>()
  const dispatchLocally = (channel: string, text: string) => {
    for (const subscriber of subscribers.get(channel) ?? []) subscriber(text)
  }
  const remote = redis && connectRedis(redis, log, dispatchLocally)
  return {
    publish(channel, text) {
      dispatchLocally(channel, text)
      remote?.publish(channel, text)
    },
    subscribe(channel, subscriber) {
      const known = subscribers.get(channel) ?? new Set()
      subscribers.set(channel, known.add(subscriber))
      return () => known.delete(subscriber)
    },
    close: () => remote?.close(),
  }
}

/** Subscribes on a connection of its own, which Redis requires, and publishes on the shared one. */
function connectRedis(
  redis: Redis,
  log: FastifyBaseLogger,
  dispatch: (channel: string, text: string) => void,
): { publish(channel: string, text: string): void; close(): void } {
  const self = randomText(SENDER_LENGTH)
  // It waits for Redis without a limit, and subscribes again after every break.
  const subscriber = redis.duplicate({
    enableOfflineQueue: true,
    maxRetriesPerRequest: null,
    commandTimeout: undefined,
  })
  subscriber.on('error', (error) => log.debug({ err: error }, 'Pub/sub subscriber waits for Redis'))
  subscriber.on('message', (_channel: string, message: string) => {
    const [sender = '', channel = '', ...rest] = message.split(' ')
    if (sender !== self) dispatch(channel, rest.join(' '))
  })
  subscriber.subscribe(REDIS_CHANNEL).catch(() => undefined)
  return {
    publish(channel, text) {
      if (redis.status !== 'ready') return
      redis.publish(REDIS_CHANNEL, `${self} ${channel} ${text}`).catch(() => undefined)
    },
    close: () => subscriber.disconnect(),
  }
}
