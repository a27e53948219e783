import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

const NETWORK_BITS = 64

/** The client's address without the noise: IPv4 also when mapped into IPv6. */
export function clientAddress(request: FastifyRequest): string {
  return ipaddr.isValid(request.ip) ? ipaddr.process(request.ip).toString() : request.ip
}

/** What limits count as one client: an IPv4 address, or the /64 network of an IPv6 address. */
export function clientNetwork(request: FastifyRequest): string {
  if (!ipaddr.isValid(request.ip)) return request.ip
  const address = ipaddr.process(request.ip)
  if (address.kind() === 'ipv4') return address.toString()
  const bytes = address.toByteArray().map((byte, index) => (index < NETWORK_BITS / 8 ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/${NETWORK_BITS}`
}

/** Whether an address lies in one of the addresses and networks of a list. */
export function isListed(address: string, list: readonly string[]): boolean {
  const parsed = ipaddr.process(address)
  return list.some((entry) => {
    const [network, bits] = ipaddr.parseCIDR(
      entry.includes('/') ? entry : `${entry}/${entry.includes(':') ? 128 : 32}`,
    )
    return network.kind() === parsed.kind() && parsed.match([network, bits])
  })
}
