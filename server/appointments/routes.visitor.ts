import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { assertVisitorOrigin, visitorClient } from '../chat/routes.visitor.ts'
import { openSession, openTenant } from '../chat/session/sessions.ts'
import type { Context } from '../context.ts'
import { visitorsAndMembers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { type Limits, siteClientKey } from '../http/rate-limits.ts'
import { requireCaller } from '../platform/auth/authenticator.ts'
import { findReplay, requestKeyOf } from '../platform/idempotency.ts'
import { freeSlots, serviceMinutes } from './availability.ts'
import { bookAppointment } from './book.ts'
import { Appointment, BookAppointment, SlotQuery, Slots } from './schema.ts'

const access = visitorsAndMembers('chat:message')
const SessionPath = z.object({ session_id: z.string().max(64) })
const tags = ['Chat']

const slots = {
  config: { access, pool: 'default' },
  schema: {
    summary: 'The free slots, in order',
    description: '`from` and `to` are days of the site’s time zone (both included) or instants.',
    tags,
    params: SessionPath,
    querystring: SlotQuery,
    response: { 200: Slots },
  },
} as const

const book = {
  config: { access, pool: 'default', isIdempotent: true, mayFail: ['conflict'] },
  schema: {
    summary: 'Book a free slot; 409 when it is taken',
    tags,
    params: SessionPath,
    body: BookAppointment,
    response: { 201: Appointment },
  },
} as const

/** Registers the visitor's routes: free slots and the booking. */
export function visitorAppointmentRoutes(app: App, ctx: Context, limits: Limits): void {
  app.get('/api/v1/chatbot/sessions/:session_id/slots', slots, async (request, reply) => {
    const caller = requireCaller(request)
    const session = await openSession(ctx, caller, request.params.session_id)
    const tenant = await openTenant(ctx, caller, session.tenant_id)
    assertVisitorOrigin(request, reply, tenant)
    const { service, ...range } = request.query
    return freeSlots(ctx, tenant, range, serviceMinutes(tenant, service))
  })

  const path = '/api/v1/chatbot/sessions/:session_id/appointment'
  app.post(path, { ...book, preValidation: assertMayBook }, async (request, reply) => {
    const caller = requireCaller(request)
    const { session_id } = request.params
    const key = requestKeyOf(request, caller, `sessions/${session_id}/appointment`, request.body)
    const replay = key && (await findReplay(ctx, key))
    if (replay !== undefined) {
      reply.header('idempotent-replayed', 'true')
      return reply.code(201).send(Appointment.parse(JSON.parse(replay)))
    }
    const session = await openSession(ctx, caller, session_id)
    const tenant = await openTenant(ctx, caller, session.tenant_id)
    assertVisitorOrigin(request, reply, tenant)
    const address = bookingAddress(request)
    if (address !== undefined) await limits.count('booking', address, reply)
    const place = { tenant, session, client: visitorClient(request) }
    const booked = await bookAppointment(ctx, place, { fields: request.body, key })
    return reply.code(201).send(booked)
  })

  /**
   * Throws 429 before the body is validated; a body that is refused is not counted. A request with an id may
   * be the retry of a booking that was made.
   */
  async function assertMayBook(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.headers['x-request-id'] !== undefined) return
    const address = bookingAddress(request)
    if (address !== undefined) await limits.assertNotFull('booking', address, reply)
  }
}

/** Returns the key of the bookings' limit; `undefined` for members, whose limits count per user. */
function bookingAddress(request: FastifyRequest): string | undefined {
  const caller = requireCaller(request)
  const client = visitorClient(request)
  return caller.kind === 'visitor' && client ? siteClientKey(caller.tenantId, client) : undefined
}
