import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { invalidFields } from '../http/errors.ts'

/** Longest URL that is accepted, in characters. */
export const MAX_URL_LENGTH = 2_048
const MAX_NAME_LENGTH = 253
const FIRST_OPEN_PORT = 1_024
/** Ports of databases and caches, which take an HTTP request for commands. */
const DATABASE_PORTS = new Set([3306, 5432, 6379, 9200, 11211, 27017])
/** Names that mean something only inside a network. */
const PRIVATE_SUFFIXES =
  'localhost local internal intranet lan home corp home.arpa svc onion test invalid arpa'.split(' ')

/** The IANA special-purpose registry, multicast, reserved, and one cloud's metadata address. */
const REFUSED_IPV4 = networks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
])
/** Global unicast is all that is routed; mapped, NAT64, local and multicast lie outside it. */
const GLOBAL_IPV6 = networks(['2000::/3'])
/** Protocol assignments (Teredo among them), documentation, 6to4. */
const REFUSED_IPV6 = networks(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** What the operator allows beyond the public internet. */
export interface TargetPolicy {
  /** Lifts the scheme, port and address rules, for development. */
  allowPrivate: boolean
  /** Lifts them for these networks. */
  allowed: readonly Network[]
}

export type BlockReason =
  | 'unreadable'
  | 'too_long'
  | 'scheme'
  | 'credentials'
  | 'fragment'
  | 'port'
  | 'name'
  | 'address'

/** What a person can do about a refused URL. */
export const BLOCK_MESSAGES: Record<BlockReason, string> = {
  unreadable: 'This is not a full URL.',
  too_long: `A URL may have at most ${MAX_URL_LENGTH} characters.`,
  scheme: 'The URL must start with https://.',
  credentials: 'The URL may not contain a user name or a password.',
  fragment: 'The URL may not contain a fragment (#).',
  port: 'The port must be 443, or from 1024 to 65535 and not that of a database.',
  name: 'The host must be a public name with a dot in it.',
  address: 'The address must be a public one.',
}

export type TargetCheck = { ok: true; url: URL } | { ok: false; refusal: BlockReason }

/** The policy from the settings `ALLOW_PRIVATE_TARGETS` and `ALLOWED_TARGET_CIDRS`. */
export function targetPolicy(settings: {
  allowPrivateTargets: boolean
  allowedTargetCidrs: readonly string[]
}): TargetPolicy {
  return {
    allowPrivate: settings.allowPrivateTargets,
    allowed: networks(settings.allowedTargetCidrs),
  }
}

/**
 * Judges a URL that a customer aims at: when it is saved, edited and tested, and at every attempt.
 * Store `url.href`, the normal form. What a name resolves to is judged when connecting.
 */
export function checkTarget(text: string, policy: TargetPolicy): TargetCheck {
  if (text.length > MAX_URL_LENGTH) return { ok: false, refusal: 'too_long' }
  // The parser would silently drop these, so that what is shown is not what is called.
  if (/[\s\p{Cc}]/u.test(text)) return { ok: false, refusal: 'unreadable' }
  const url = URL.parse(text)
  if (!url || url.hostname === '') return { ok: false, refusal: url ? 'scheme' : 'unreadable' }
  if (url.href.length > MAX_URL_LENGTH) return { ok: false, refusal: 'too_long' }
  if (url.username !== '' || url.password !== '') return { ok: false, refusal: 'credentials' }
  if (text.includes('#')) return { ok: false, refusal: 'fragment' }
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  const refusal = checkHost(url, policy)
  return refusal ? { ok: false, refusal } : { ok: true, url }
}

/** Returns the normal form of a URL that the policy allows. Throws 422 at `/url` for any other. */
export function parseTargetUrl(text: string, policy: TargetPolicy): string {
  const check = checkTarget(text, policy)
  if (check.ok) return check.url.href
  throw invalidFields([{ path: '/url', message: BLOCK_MESSAGES[check.refusal] }])
}

/**
 * Whether only the operator's own networks can make this origin acceptable: then every address
 * that its name resolves to must lie in one of them.
 */
export function needsAllowedNetwork(origin: URL): boolean {
  return origin.protocol !== 'https:' || !isOpenPort(origin) || isPrivateName(origin.hostname)
}

/** Judges an address as text, such as a DNS answer or a socket's other end. */
export function isAllowedAddress(
  address: string,
  policy: TargetPolicy,
  onlyAllowedNetworks = false,
): boolean {
  if (isIP(address) === 0) return false
  if (policy.allowPrivate) return true
  // `process` unwraps a v4-mapped address, so that a listed v4 network covers it.
  if (isWithin(ipaddr.process(address), policy.allowed)) return true
  return !onlyAllowedNetworks && isPublic(ipaddr.parse(address))
}

/** The address inside a URL's host when it is one, without the brackets of IPv6. */
export function literalOf(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? undefined : bare
}

function checkHost(url: URL, policy: TargetPolicy): BlockReason | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme'
  if (policy.allowPrivate) return undefined
  const literal = literalOf(url.hostname)
  const isListed = literal !== undefined && isAllowedAddress(literal, policy, true)
  // A name may lead into an allowed network; whether it does is judged when connecting.
  const mayBeListed = literal === undefined && policy.allowed.length > 0
  if (isListed || mayBeListed) return undefined
  if (url.protocol !== 'https:') return 'scheme'
  if (literal !== undefined && !isAllowedAddress(literal, policy)) return 'address'
  if (literal === undefined && isPrivateName(url.hostname)) return 'name'
  return isOpenPort(url) ? undefined : 'port'
}

function isOpenPort(url: URL): boolean {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  return port === 443 || (port >= FIRST_OPEN_PORT && !DATABASE_PORTS.has(port))
}

function isPrivateName(hostname: string): boolean {
  if (literalOf(hostname) !== undefined) return false
  const labels = hostname.toLowerCase().split('.')
  if (labels.length < 2 || labels.includes('') || hostname.length > MAX_NAME_LENGTH) return true
  return PRIVATE_SUFFIXES.some((suffix) => hostname.toLowerCase().endsWith(`.${suffix}`))
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.kind() === 'ipv4') return !isWithin(address, REFUSED_IPV4)
  return isWithin(address, GLOBAL_IPV6) && !isWithin(address, REFUSED_IPV6)
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, list: readonly Network[]): boolean {
  return list.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
}

function networks(list: readonly string[]): Network[] {
  return list.map((entry) => {
    if (entry.includes('/')) return ipaddr.parseCIDR(entry)
    const address = ipaddr.parse(entry)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  })
}
