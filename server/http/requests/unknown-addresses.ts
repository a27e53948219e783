import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** A path with its parameters as they are declared, and the methods that it answers. */
interface Address {
  path: string
  /** The rank of an address, stored because every start compares hundreds with each other. */
  rank: string
  pattern: RegExp
  methods: Set<string>
}

/** Both sort behind every literal segment, as the router prefers a literal. */
const PARAMETER = '~'
const WILDCARD = '\u007f'

/**
 * Answers 405 where the path exists with another method, else 404; before the body is read, so that a
 * bad body never hides the real reason. A literal path such as `/prompts/execute` is not an id of
 * `/prompts/:prompt_id`: its other methods are 405 too.
 */
export function refuseUnknownAddresses(app: FastifyInstance): void {
  const addresses = new Map<string, Address>()
  app.addHook('onRoute', ({ url, method }) => {
    const path = keyOf(url)
    const escaped = path.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    const source = escaped.replaceAll(PARAMETER, '[^/]+').replaceAll(WILDCARD, '.*')
    const address = addresses.get(path) ?? {
      path,
      rank: path + WILDCARD,
      pattern: new RegExp(`^${source}$`),
      methods: new Set(),
    }
    for (const one of [method].flat()) address.methods.add(one)
    addresses.set(path, address)
  })

  const literals = new Map<string, readonly Address[]>()
  app.addHook('onReady', async () => {
    for (const address of addresses.values()) {
      const { path } = address
      if (!path.includes(PARAMETER) || path.includes(WILDCARD)) continue
      const found = [...addresses.values()].filter(
        (other) =>
          other.path !== path && compare(other, address) < 0 && address.pattern.test(other.path),
      )
      if (found.length > 0) literals.set(path, found)
    }
  })

  const refuse = (request: FastifyRequest): never => {
    const path = pathOf(request)
    const [address] = [...addresses.values()]
      .filter(({ pattern }) => pattern.test(path))
      .toSorted(compare)
    if (address === undefined || address.methods.has(request.method)) {
      throw new AppError('not_found', 'This address does not exist.')
    }
    const allow = [...address.methods].join(', ')
    throw new AppError('method_not_allowed', `This address only allows ${allow}.`, {
      headers: { allow },
    })
  }
  const isLiteral = (request: FastifyRequest): boolean => {
    const found = literals.get(keyOf(request.routeOptions.url ?? ''))
    if (found === undefined) return false
    const asked = pathOf(request)
    return found.some(({ pattern }) => pattern.test(asked))
  }
  app.addHook('onRequest', async (request) => {
    if (request.is404 || isLiteral(request)) refuse(request)
  })
  app.setNotFoundHandler(refuse)
}

function keyOf(url: string): string {
  return url.replaceAll(/:\w+(?:\([^)]*\))?/g, PARAMETER).replaceAll('*', WILDCARD)
}

/** Compares by what the router prefers: a literal, a parameter with a suffix, a parameter, the rest. */
function compare(one: Address, other: Address): number {
  return one.rank < other.rank ? -1 : 1
}

function pathOf(request: FastifyRequest): string {
  const [path = ''] = request.url.split('?')
  return path
}
