import type { FastifyInstance } from 'fastify'
import { AppError } from './errors.ts'

/** Answers 405 where the address exists with another method, else 404. */
export function answerUnknown(app: FastifyInstance): void {
  const known: { pattern: RegExp; method: string }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(
      `^${url
        .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll(/:\w+/g, '[^/]+')
        .replaceAll('*', '.*')}$`,
    )
    for (const one of [method].flat()) known.push({ pattern, method: one })
  })
  app.setNotFoundHandler((request) => {
    const [path = ''] = request.url.split('?')
    const methods = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    if (methods.length === 0) throw new AppError('not_found', 'There is nothing at this address.')
    const allow = [...new Set(methods)].join(', ')
    throw new AppError('method_not_allowed', `This address takes ${allow}.`, { headers: { allow } })
  })
}
