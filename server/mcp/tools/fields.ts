import { z } from 'zod'
import { PageQuery } from '../../http/pagination.ts'
import { TenantId } from '../../tenants/schema.ts'

const MAX_PER_PAGE = 100
const DEFAULT_PAGE = 25

/** The fields of every list. */
export const Paging = {
  limit: z.int().min(1).max(MAX_PER_PAGE).default(DEFAULT_PAGE).describe('Maximum number of items'),
  cursor: PageQuery.shape.cursor,
}

export const SITE = { tenant_id: TenantId.describe('The site, by its id') }
export const CONVERSATION = { session_id: z.string().max(64).describe('The conversation') }
const at = z.iso.datetime({ offset: true, error: 'must be a time like 2026-11-21T09:30:00Z' })
export const PERIOD = {
  from: at.optional().describe('The earliest time'),
  to: at.optional().describe('The time before which it ends'),
}
