import { z } from 'zod'

/** Messages of one request; only clients of 2025-03-26 and before send several. */
const MAX_BATCH = 10

/** A JSON-RPC message as far as the route has to know it; the SDK checks the rest. */
export const RpcMessage = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(200), z.number()]).optional(),
  method: z.string().max(200).optional(),
  params: z.looseObject({ name: z.unknown(), requestId: z.unknown() }).partial().optional(),
})
export type RpcMessage = z.infer<typeof RpcMessage>

export const RpcBody = z.union([RpcMessage, z.array(RpcMessage).min(1).max(MAX_BATCH)])
export type RpcBody = z.infer<typeof RpcBody>

/** Returns the messages of a body that is not validated yet; what fits no message is one. */
export function messagesOf(body: unknown): RpcMessage[] {
  const parsed = RpcBody.safeParse(body)
  return parsed.success ? [parsed.data].flat() : [{ jsonrpc: '2.0' }]
}

/** Whether a client introduces itself. */
export function isInitialize(body: RpcBody): boolean {
  return [body].flat().some(({ method }) => method === 'initialize')
}
