import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

const NETWORK_BITS = 64

/** Some proxies add the client's port. */
const WITH_PORT = /^(?:\[(?<inBrackets>[^\]]+)\]|(?<plain>[\d.]+))(?::\d+)?$/

/** Returns the client's address without a port; IPv4 also when mapped into IPv6. */
export function clientAddress({ ip }: FastifyRequest): string {
  return parse(ip)?.toString() ?? ip
}

/**
 * Returns the rate limit key of a client: an IPv4 address, or the /64 network of an IPv6 address.
 */
export function clientNetwork({ ip }: Pick<FastifyRequest, 'ip'>): string {
  const address = parse(ip)
  if (!address || address.kind() === 'ipv4') return address?.toString() ?? ip
  const bytes = address.toByteArray().map((byte, index) => (index < NETWORK_BITS / 8 ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/${NETWORK_BITS}`
}

/** Returns the client's network, which does not identify a person: an IPv4 /24 or an IPv6 /48. */
export function clientBlock({ ip }: FastifyRequest): string {
  const address = parse(ip)
  if (!address) return 'unknown'
  const bits = address.kind() === 'ipv4' ? 24 : 48
  const bytes = address.toByteArray().map((byte, index) => (index < bits / 8 ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`
}

/**
 * Returns whether a list of addresses and networks has an address; false for an invalid address.
 */
export function isListed(address: string, list: readonly string[]): boolean {
  const parsed = parse(address)
  return (
    parsed !== undefined &&
    list.some((entry) => {
      if (!entry.includes('/')) return parse(entry)?.toString() === parsed.toString()
      const [network, bits] = ipaddr.parseCIDR(entry)
      return network.kind() === parsed.kind() && parsed.match([network, bits])
    })
  )
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const { inBrackets, plain } = WITH_PORT.exec(text)?.groups ?? {}
  const address = inBrackets ?? plain ?? text
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined
}
