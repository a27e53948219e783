import type { Tenant } from '../../../server/tenants/schema.ts'
import type { Words } from '../../locales/en/widget-settings.ts'

/** Properties of each part of the editor; `change` merges fields into the unsaved draft. */
export interface PartProps {
  draft: Tenant
  change: (changes: Partial<Tenant>) => void
  words: Words
  errorOf: (path: string) => string | undefined
}
