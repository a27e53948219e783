import { createHmac } from 'node:crypto'
import type { CreatedIntegration } from '../../helpers/answers.ts'
import type { Answer, TestProduct, TestWorkspace } from '../../helpers/product.ts'

/** Opens an integration of the workspace's tenant. */
export async function openIntegration(
  product: TestProduct,
  { token, tenantId }: TestWorkspace,
  kind: string,
  settings: Record<string, unknown> = {},
): Promise<CreatedIntegration> {
  const made = await product.call<CreatedIntegration>('/api/v1/integrations', {
    token,
    body: { kind, tenant_id: tenantId, settings },
  })
  if (made.status !== 201) throw new Error(`The integration was not opened: ${made.text}`)
  return made.body
}

/** The path of an integration's hook on the product. */
export function pathOf({ url }: CreatedIntegration): string {
  return new URL(url).pathname
}

const hex = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('hex')

/** The headers with which each provider proves that it is the one who calls. */
export const signed = {
  whatsapp: (secret: string, body: string) => ({
    'x-hub-signature-256': `sha256=${hex(secret, body)}`,
  }),
  meta: (secret: string, body: string) => ({
    'x-hub-signature-256': `sha256=${hex(secret, body)}`,
  }),
  telegram: (secret: string) => ({ 'x-telegram-bot-api-secret-token': secret }),
  stripe: (secret: string, body: string, at: number) => {
    const seconds = Math.floor(at / 1_000)
    return { 'stripe-signature': `t=${seconds},v1=${hex(secret, `${seconds}.${body}`)}` }
  },
  generic: (secret: string, body: string, at: number) => {
    const seconds = String(Math.floor(at / 1_000))
    return {
      'x-svc-timestamp': seconds,
      'x-svc-signature': `sha256=${hex(secret, `${seconds}.${body}`)}`,
    }
  },
}

/** Calls a hook as its provider would. */
export function tell(
  product: TestProduct,
  opened: CreatedIntegration,
  body: object | string,
  options: { secret?: string; at?: number; headers?: Record<string, string> } = {},
): Promise<Answer<{ received: number; code: string }>> {
  const raw = typeof body === 'string' ? body : JSON.stringify(body)
  const sign = signed[kindOf(opened)]
  const at = options.at ?? product.ctx.now()
  return product.call(pathOf(opened), {
    method: 'POST',
    raw,
    headers: options.headers ?? sign(options.secret ?? opened.secret, raw, at),
  })
}

function kindOf({ kind }: CreatedIntegration): keyof typeof signed {
  if (kind === 'whatsapp' || kind === 'telegram' || kind === 'meta') return kind
  return kind === 'stripe' ? kind : 'generic'
}
