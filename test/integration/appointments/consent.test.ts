import { expect, test } from 'vitest'
import type { Appointment, Slots } from '../../../server/appointments/schema.ts'
import type { Session } from '../../../server/chat/schema.ts'
import type { Problem } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { ALWAYS_OPEN } from '../security/access/filled-workspace.ts'

describeOnDatabase('who books an appointment', (database) => {
  const product = useProduct(database)

  /** A conversation on a site with these words beside its forms, and a free time. */
  async function openTalk(privacy: object) {
    const forms = { lead: { consent_text: 'I agree.' } }
    const tenant = { ...ALWAYS_OPEN, privacy, forms }
    const workspace = await addWorkspace(product, { tenant })
    const token = await addVisitor(product, workspace)
    const body = { tenant_id: workspace.tenantId }
    const session = await product.call<Session>('/api/v1/chatbot/sessions', {
      token,
      body,
    })
    const path = `/api/v1/chatbot/sessions/${session.body.session_id}`
    const slots = await product.call<Slots>(`${path}/slots`, { token })
    const start = slots.body.data[0]?.start
    const book = (more: object) =>
      product.call<Appointment & Problem>(`${path}/appointment`, {
        token,
        body: { name: 'Ayşe', email: 'ayse@example.com', start, ...more },
      })
    return { workspace, book }
  }

  test('agrees first where the site wants that, and what was agreed to is on record', async () => {
    const { workspace, book } = await openTalk({ consent_required: true })
    for (const more of [{}, { consent: false }]) {
      const refused = await book(more)
      expect(refused.status).toBe(422)
      expect(refused.body).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: '/consent' }],
      })
    }
    const booked = await book({ consent: true })
    expect(booked.status, booked.text).toBe(201)
    expect(booked.body.consent).toMatchObject({ text: 'I agree.', version: expect.any(String) })
    const { appointment_id: id } = booked.body
    const shown = await product.call<Appointment & Problem>(`/api/v1/appointments/${id}`, {
      token: workspace.token,
    })
    expect(shown.body.consent).toEqual(booked.body.consent)
  })

  test('need not agree elsewhere', async () => {
    const { book } = await openTalk({})
    const booked = await book({})
    expect([booked.status, booked.body.consent]).toEqual([201, null])
  })
})
