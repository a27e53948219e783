import type { FastifyBaseLogger } from 'fastify'
import type { Redis } from 'ioredis'
import { Gauge, type Registry } from 'prom-client'

/** Far above what a busy Redis takes: limits that are shared must stay shared under load. */
const COMMAND_TIMEOUT_MS = 2_000
const CONNECT_TIMEOUT_MS = 2_000

/**
 * Opens a connection to Redis or Valkey, which is made again whenever it breaks. An outage is a line in
 * the log when it begins, and one when it is over.
 */
export async function openRedis(url: string, log: FastifyBaseLogger): Promise<Redis> {
  const { Redis: Client } = await import('ioredis')
  const redis = new Client(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
  })
  let isBroken = false
  redis.on('error', (error) => {
    if (!isBroken)
      log.warn({ event: 'redis.connection_failed', err: error }, 'Redis connection failed')
    isBroken = true
  })
  redis.on('ready', () => {
    if (isBroken) log.info({ event: 'redis.connected' }, 'Redis connection works again')
    isBroken = false
  })
  return redis
}

/** Exposes the state of the connection; without Redis there is none in any state. */
export function exposeRedis(registry: Registry, redis: Redis | undefined): void {
  const connections = new Gauge({
    name: 'sohbet_redis_connections',
    help: 'Connections to Redis that carry commands, by state: ready or broken; none without Redis',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const isReady = redis?.status === 'ready'
      connections.set({ state: 'ready' }, isReady ? 1 : 0)
      connections.set({ state: 'broken' }, redis && !isReady ? 1 : 0)
    },
  })
}
