import type { FastifyBaseLogger } from 'fastify'
import type { Redis } from 'ioredis'
import { randomText } from '../lib/ids.ts'

const REDIS_CHANNEL = 'sohbet:bus'
const SENDER_LENGTH = 12

declare module '../context.ts' {
  interface Services {
    /** Reaches every process of the installation. */
    readonly bus: Bus
  }
}

/**
 * Tells every process something at once, this one included. Best effort: whoever listens must also
 * find out by itself after a while, because what is said while Redis is away is lost.
 */
export interface Bus {
  /** Calls the listeners of this process before it returns; those of others soon after. */
  publish(channel: string, text: string): void
  /** Listens; the returned function stops it. */
  subscribe(channel: string, listener: (text: string) => void): () => void
  close(): void
}

/** Opens the bus between processes through Redis or Valkey; without one it stays in this process. */
export function openBus(redis: Redis | undefined, log: FastifyBaseLogger): Bus {
  const listeners = new Map<string, Set<(text: string) => void>>()
  const tell = (channel: string, text: string) => {
    for (const listener of listeners.get(channel) ?? []) listener(text)
  }
  const others = redis && joinOthers(redis, log, tell)
  return {
    publish(channel, text) {
      tell(channel, text)
      others?.publish(channel, text)
    },
    subscribe(channel, listener) {
      const known = listeners.get(channel) ?? new Set()
      listeners.set(channel, known.add(listener))
      return () => known.delete(listener)
    },
    close: () => others?.close(),
  }
}

/** The way to the other processes: a connection that only listens, and the shared one to speak. */
function joinOthers(
  redis: Redis,
  log: FastifyBaseLogger,
  tell: (channel: string, text: string) => void,
): { publish(channel: string, text: string): void; close(): void } {
  const self = randomText(SENDER_LENGTH)
  // It waits for Redis as long as it takes, and listens again by itself after every break.
  const ear = redis.duplicate({
    enableOfflineQueue: true,
    maxRetriesPerRequest: null,
    commandTimeout: undefined,
  })
  ear.on('error', (error) => log.debug({ err: error }, 'the bus waits for Redis'))
  ear.on('message', (_channel: string, said: string) => {
    const [sender = '', channel = '', ...rest] = said.split(' ')
    if (sender !== self) tell(channel, rest.join(' '))
  })
  ear.subscribe(REDIS_CHANNEL).catch(() => undefined)
  return {
    publish(channel, text) {
      if (redis.status !== 'ready') return
      redis.publish(REDIS_CHANNEL, `${self} ${channel} ${text}`).catch(() => undefined)
    },
    close: () => ear.disconnect(),
  }
}
