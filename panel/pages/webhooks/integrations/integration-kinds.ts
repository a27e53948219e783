import type { Integration } from '../../../../server/integrations/schema.ts'

export type Kind = Integration['kind']
export const KINDS = ['whatsapp', 'telegram', 'meta', 'stripe', 'generic'] as const

/** Without a name of its own an integration has its kind's. */
export function nameOf(
  { name, kind }: Pick<Integration, 'name' | 'kind'>,
  words: { kinds: Record<Kind, string> },
): string {
  return name === kind ? words.kinds[kind] : name
}

interface Field {
  name: string
  isSecret: boolean
}

const field = (name: string): Field => ({ name, isSecret: false })
const secret = (name: string): Field => ({ name, isSecret: true })

/** The settings that each kind needs from its provider. */
export const FIELDS: Record<Kind, readonly Field[]> = {
  whatsapp: [field('phone_number_id'), secret('access_token'), secret('app_secret')],
  telegram: [secret('bot_token')],
  meta: [field('account_id'), secret('access_token'), secret('app_secret')],
  stripe: [secret('signing_secret')],
  generic: [],
}
