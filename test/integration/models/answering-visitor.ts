import type { Turn } from '../../../server/chat/schema.ts'
import type { Problem } from '../../helpers/answers.ts'
import type { ModelServer } from '../../helpers/servers/model-server.ts'
import {
  type TestProduct,
  type TestWorkspace,
  addDocument,
  addWorkspace,
} from '../../helpers/product.ts'

export const RETURNS = `# Returns

## Return period

You can return a product within 30 days of delivery without giving a reason.

## Refunds

We refund the card that you paid with within 3 working days.`

/** The settings of an installation whose model is the server. */
export function settingsOf(server: ModelServer): Record<string, string> {
  return {
    MODEL_PROVIDER: 'openai-compatible',
    MODEL_BASE_URL: server.url,
    MODEL_API_KEY: 'sk-key-of-the-house',
    MODEL_NAME: 'small',
  }
}

/** A workspace with a document about returns. */
export async function openShop(
  product: TestProduct,
  options: { plan?: string; credits?: number } = {},
): Promise<TestWorkspace> {
  const shop = await addWorkspace(product, { ...options, tenant: { locale: 'en' } })
  await addDocument(product, shop, {
    title: 'Returns',
    content: RETURNS,
    url: 'https://shop.example/returns',
  })
  return shop
}

/** Sends a message as the workspace itself, which sees what it pays. */
export function ask<Body = Turn & Problem>(
  product: TestProduct,
  { token, tenantId }: TestWorkspace,
  message: string,
  more: Record<string, unknown> = {},
) {
  return product.call<Body>('/api/v1/chatbot/message', {
    token,
    body: { tenant_id: tenantId, message, ...more },
  })
}

/** The events of a stream's text. */
export function eventsOf(
  text: string,
): ({ delta?: string; done?: true } & Partial<Turn & Problem>)[] {
  return text
    .split('\n\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)))
}

interface Read {
  instructions: string
  document: {
    site: string
    passages: { number: number; heading: string; text: string }[]
    facts: Record<string, string>
    summary: string
    conversation: { who: string; text: string }[]
    question: string
  }
  results: string[]
}

/** Returns the parts of a request to a model. */
export function readBy(body: Record<string, unknown>): Read {
  const messages: { role: string; content: string }[] = JSON.parse(JSON.stringify(body.messages))
  const contentOf = (role: string) => messages.find((each) => each.role === role)?.content ?? '{}'
  return {
    instructions: contentOf('system'),
    document: JSON.parse(contentOf('user')),
    results: messages.filter(({ role }) => role === 'tool').map(({ content }) => content),
  }
}
