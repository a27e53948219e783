import { z } from 'zod'
import { readAppointments } from '../../appointments/appointment-list.ts'
import { Appointment, AppointmentState } from '../../appointments/schema.ts'
import { pageSchema } from '../../http/pagination.ts'
import { readLeads } from '../../leads/lead-list.ts'
import { LeadFilter, ManagedLead } from '../../leads/schema.ts'
import type { UserCaller } from '../../platform/auth/authenticator.ts'
import { type McpCall, defineTool } from '../tool.ts'
import { PERIOD, Paging, SITE } from './fields.ts'

/** Tools of the people whom the assistant has won. */
export const CUSTOMER_TOOLS = [
  defineTool({
    name: 'list_leads',
    title: 'List leads',
    description:
      'Lists the people who left their contact details, newest first, with what they want.',
    route: 'GET /api/v1/leads',
    isReadOnly: true,
    isAudited: true,
    input: z.strictObject({
      ...Paging,
      ...PERIOD,
      tenant_id: SITE.tenant_id.optional(),
      source: LeadFilter.source,
      status: LeadFilter.status.describe('How far the workspace is with the lead'),
      q: LeadFilter.q.describe('A part of the name, phone number, e-mail address or interest'),
    }),
    output: pageSchema(ManagedLead),
    run: (ctx, { caller }: McpCall<UserCaller>, query) => readLeads(ctx, caller.workspaceId, query),
  }),
  defineTool({
    name: 'list_appointments',
    title: 'List appointments',
    description: 'Lists appointments, newest booking first; `from` and `to` are about the start.',
    route: 'GET /api/v1/appointments',
    isReadOnly: true,
    isAudited: true,
    input: z.strictObject({
      ...Paging,
      ...PERIOD,
      tenant_id: SITE.tenant_id.optional(),
      state: AppointmentState.optional(),
    }),
    output: pageSchema(Appointment),
    run: (ctx, { caller }: McpCall<UserCaller>, query) =>
      readAppointments(ctx, caller.workspaceId, query),
  }),
]
