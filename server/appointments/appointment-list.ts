import { z } from 'zod'
import type { Context } from '../context.ts'
import { PageQuery } from '../http/pagination.ts'
import { toPage } from '../lib/cursor.ts'
import { serializeAppointment } from './book.ts'
import { AppointmentState } from './schema.ts'
import { type AppointmentFilter, listAppointments } from './store.ts'

const Filter = {
  tenant_id: z.string().max(64).optional(),
  state: AppointmentState.optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
}
export const AppointmentsFilter = z.strictObject(Filter)
export type AppointmentsFilter = z.infer<typeof AppointmentsFilter>
export const AppointmentsQuery = PageQuery.extend(Filter)

/** Returns a page of a workspace's appointments, newest booking first. */
export async function readAppointments(
  ctx: Context,
  workspaceId: string,
  query: z.infer<typeof AppointmentsQuery>,
) {
  const { limit, cursor } = query
  const page = { ...parseFilter(query), limit, after: cursor }
  const rows = await listAppointments(ctx.db, workspaceId, page)
  return toPage(rows, limit, (row) => ({ at: row.created_at, id: row.id }), serializeAppointment)
}

/** Returns the filter of a query, with times in milliseconds. */
export function parseFilter({ tenant_id, state, from, to }: AppointmentsFilter): AppointmentFilter {
  return {
    tenantId: tenant_id,
    state,
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to),
  }
}
