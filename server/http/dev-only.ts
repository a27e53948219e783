import type { FastifyRequest } from 'fastify'
import { clientAddress, isListed } from './addresses.ts'

const LOOPBACK = ['127.0.0.0/8', '::1']
const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

interface DevInstallation {
  isProduction: boolean
  publicUrl: string | undefined
}

/** Whether this can be a developer's own machine: not with `NODE_ENV=production`, nor on HTTPS. */
export function isDevelopment({ isProduction, publicUrl = '' }: DevInstallation): boolean {
  return !isProduction && /^http:/i.test(publicUrl) && LOCAL_HOSTS.has(hostOf(publicUrl))
}

/**
 * Whether a request comes from the developer: to a local name, from the machine itself, directly.
 * Developer-only pages show data of every workspace of the installation.
 */
export function isFromDeveloper(request: FastifyRequest): boolean {
  const { forwarded, 'x-forwarded-for': before, host = '' } = request.headers
  return (
    LOCAL_HOSTS.has(hostOf(`http://${host}`)) &&
    (forwarded ?? before) === undefined &&
    isListed(clientAddress(request), LOOPBACK)
  )
}

/** `tr` when the visitor's browser prefers Turkish to English, else `en`. */
export function preferredLanguage(request: FastifyRequest): 'tr' | 'en' {
  const wanted = (request.headers['accept-language'] ?? '').split(',').map((entry) => {
    const [tag = '', weight = ''] = entry.trim().toLowerCase().split(';q=')
    return { language: tag.split('-')[0], weight: weight === '' ? 1 : Number(weight) }
  })
  const known = wanted
    .filter(({ language, weight }) => (language === 'tr' || language === 'en') && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  return known[0]?.language === 'tr' ? 'tr' : 'en'
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : ''
}
