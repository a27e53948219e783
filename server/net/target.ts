import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { invalidFields } from '../http/errors.ts'

/** Upper bound of a URL, in characters. */
export const MAX_URL_LENGTH = 2_048
const MAX_NAME_LENGTH = 253
const MIN_OPEN_PORT = 1_024
/** Ports of databases and caches, which execute parts of an HTTP request as commands. */
const DATABASE_PORTS = new Set([3306, 5432, 6379, 9200, 11211, 27017])
/** Suffixes of names that only resolve inside a network. */
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
/** Only global unicast is routed; mapped, NAT64, local and multicast addresses lie outside. */
const GLOBAL_IPV6 = networks(['2000::/3'])
/** Protocol assignments (Teredo among them), documentation, 6to4. */
const REFUSED_IPV6 = networks(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** The targets that the operator allows beyond the public internet. */
export interface TargetPolicy {
  /** Lifts the scheme, port and address rules, for development. */
  allowPrivate: boolean
  /** Lifts the same rules for these networks. */
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

/** Explains to a customer how to correct a blocked URL. */
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
 * Checks a customer's URL: on save, on change, on test, and at every attempt. Store `url.href`, the
 * normal form. The connector checks the addresses that a name resolves to.
 */
export function checkTarget(text: string, policy: TargetPolicy): TargetCheck {
  if (text.length > MAX_URL_LENGTH) return { ok: false, refusal: 'too_long' }
  // The parser drops these characters, so that the shown URL would differ from the called one.
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
 * Whether this origin is acceptable only inside the operator's own networks: then every address that
 * its name resolves to must lie in one of those networks.
 */
export function needsAllowedNetwork(origin: URL): boolean {
  return origin.protocol !== 'https:' || !isOpenPort(origin) || isPrivateName(origin.hostname)
}

/** Whether the policy allows an address, such as a DNS result or a socket's remote address. */
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

/** Returns the address literal in a URL's host, without the brackets of IPv6. */
export function literalOf(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? undefined : bare
}

function checkHost(url: URL, policy: TargetPolicy): BlockReason | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme'
  if (policy.allowPrivate) return undefined
  const literal = literalOf(url.hostname)
  const isListed = literal !== undefined && isAllowedAddress(literal, policy, true)
  // A name may resolve into an allowed network; the connector checks the address.
  const mayBeListed = literal === undefined && policy.allowed.length > 0
  if (isListed || mayBeListed) return undefined
  if (url.protocol !== 'https:') return 'scheme'
  if (literal !== undefined && !isAllowedAddress(literal, policy)) return 'address'
  if (literal === undefined && isPrivateName(url.hostname)) return 'name'
  return isOpenPort(url) ? undefined : 'port'
}

function isOpenPort(url: URL): boolean {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  return port === 443 || (port >= MIN_OPEN_PORT && !DATABASE_PORTS.has(port))
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
