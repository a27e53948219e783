import type { Words } from '../en/webhooks.ts'

export const words: Words = {
  title: 'Webhooklar',
}
