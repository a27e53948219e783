import { ActionCall } from '../actions/schema.ts'
import { Identity } from '../chat/schema.ts'
import { z } from 'zod'
import { Appointment } from '../appointments/schema.ts'
import { SessionExport } from '../inbox/schema.ts'

/** All stored data of a visitor. */
export const VisitorExport = z.object({
  visitor_id: z.string(),
  identity: Identity.nullable(),
  /** The visitor's ids in messaging apps. */
  contacts: z.array(
    z.object({ integration_id: z.string(), kind: z.string(), contact: z.string() }),
  ),
  sessions: z.array(SessionExport),
  appointments: z.array(Appointment),
  /** Calls of the site's own systems, of the last 30 days. */
  action_calls: z.array(ActionCall),
  exported_at: z.string(),
})
export type VisitorExport = z.infer<typeof VisitorExport>
