import { countAttachmentBytes } from './attachments/store.ts'
import { sumDocumentBytes, sumPassages } from './knowledge/documents/store.ts'
import { countMembers } from './platform/members/store.ts'
import type { QuotaUsage } from './quotas/quotas.ts'
import { countTenants } from './tenants/store.ts'

/** The measures of each quota of a plan; a slice that stores bytes adds its own. */
export const quotaUsage: QuotaUsage = {
  sites: [countTenants],
  stored_bytes: [sumDocumentBytes, countAttachmentBytes],
  passages: [sumPassages],
  members: [countMembers],
}
