import type { Tenant } from '../../../server/tenants/schema.ts'
import type { Words } from '../../locales/en/widget-settings.ts'

/** What each part of the editor gets; `change` merges fields into what will be saved. */
export interface PartProps {
  draft: Tenant
  change: (changes: Partial<Tenant>) => void
  words: Words
  errorOf: (path: string) => string | undefined
}
