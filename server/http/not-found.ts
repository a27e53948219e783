import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

/**
 * Answers 405 where the address exists with another method, else 404; before the body is read, so
 * that nothing about the body is said of an address that takes none.
 */
export function installNotFoundHandler(app: FastifyInstance): void {
  const known: { pattern: RegExp; method: string }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    const pattern = new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`)
    for (const one of [method].flat()) known.push({ pattern, method: one })
  })
  const refuse = (request: FastifyRequest): never => {
    const [path = ''] = request.url.split('?')
    const methods = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    if (methods.length === 0 || methods.includes(request.method)) {
      throw new AppError('not_found', 'There is nothing at this address.')
    }
    const allow = [...new Set(methods)].join(', ')
    throw new AppError('method_not_allowed', `This address takes ${allow}.`, { headers: { allow } })
  }
  app.addHook('onRequest', async (request) => {
    if (request.is404) refuse(request)
  })
  app.setNotFoundHandler(refuse)
}
