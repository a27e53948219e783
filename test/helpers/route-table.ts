import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { afterAll } from 'vitest'

/** Fastify publishes each new instance here. */
const CHANNEL = 'fastify.initialization'

/**
 * Collects the routes of the products that the tests of the file start, as they are registered: tests
 * of every route need no list that somebody keeps by hand. Call it before the product starts.
 */
export function useRouteTable(): RouteOptions[] {
  const routes: RouteOptions[] = []
  const listen = (message: unknown) => {
    if (isFastify(message)) message.fastify.addHook('onRoute', (route) => void routes.push(route))
  }
  subscribe(CHANNEL, listen)
  afterAll(() => void unsubscribe(CHANNEL, listen))
  return routes
}

function isFastify(message: unknown): message is { fastify: FastifyInstance } {
  return typeof message === 'object' && message !== null && 'fastify' in message
}

/** Returns the address of a route with a value for each parameter. */
export function addressOf(url: string, value: string): string {
  return url.replaceAll(/:\w+(?:\([^)]*\))?/g, value)
}
