import { expect } from 'vitest'
import { beginMonths } from '../../../server/credits/month-begin.ts'
import type { RuleEvent } from '../../../server/rules/schema.ts'
import type { PlatformEvent } from '../../../server/subscriptions/schema.ts'
import type { TestClock } from '../../helpers/clock.ts'
import { becomeVisitor, type TestWorkspace } from '../../helpers/product.ts'
import { patchWorkspace } from '../credits/ledger.ts'
import { execute, NAME, type PromptProduct } from '../prompts/setup.ts'

/** A workspace of its own, with eight credits a month and a prompt `greeting` that costs them all. */
export interface World {
  product: PromptProduct
  workspace: TestWorkspace
  clock: TestClock
}

/** Lets the event happen, through the product's front door. */
type Cause = (world: World) => Promise<unknown>

/** For an event that nothing in the product causes yet: put its cause in this place. */
export const LATER = 'later'

export const PLATFORM_CAUSES: Record<PlatformEvent, Cause | typeof LATER> = {
  'prompt.executed': runPrompt,
  'prompt.failed': async (world) => {
    world.product.model.act = { status: 400 }
    await execute(world.product, world.workspace, { prompt_id: 'greeting', ...NAME })
    world.product.model.act = { text: ['Hello'] }
  },
  'chatbot.message': write,
  'chatbot.lead': leaveContact,
  'social.post.published': LATER,
  'social.comment.received': LATER,
  'social.dm.received': LATER,
  'credits.low': runPrompt,
  'subscription.renewed': async ({ product, clock }) => {
    clock.move(31 * 24 * 3_600_000)
    // The job that runs every few minutes, for those who do nothing.
    await beginMonths(product.ctx)
  },
  'subscription.cancelled': ({ product, workspace }) =>
    patchWorkspace(product, workspace, { cancelled: true }),
}

export const CHAT_CAUSES: Record<RuleEvent, Cause | typeof LATER> = {
  'session.started': write,
  'lead.created': leaveContact,
  'appointment.created': book,
  'payment.succeeded': LATER,
  'payment.failed': LATER,
  'subscription.plan_changed': ({ product, workspace }) =>
    patchWorkspace(product, workspace, { plan: 'ajans_pro' }),
  'handoff.requested': askForPerson,
  'quota.threshold_reached': runPrompt,
}

async function runPrompt({ product, workspace }: World): Promise<void> {
  const run = await execute(product, workspace, { prompt_id: 'greeting', ...NAME })
  expect(run.status, run.text).toBe(200)
}

async function write({ product, workspace }: World): Promise<void> {
  await talk(product, workspace)
}

async function leaveContact({ product, workspace }: World): Promise<void> {
  const { token, sessionId } = await talk(product, workspace)
  const left = await product.call(`/api/v1/chatbot/sessions/${sessionId}/lead`, {
    token,
    body: { name: 'Ayşe Yılmaz', phone: '0532 123 45 67', email: 'ayse@example.com' },
  })
  expect(left.status, left.text).toBe(201)
}

async function askForPerson({ product, workspace }: World): Promise<void> {
  const { token, sessionId } = await talk(product, workspace)
  const asked = await product.call(`/api/v1/chatbot/sessions/${sessionId}/handoff`, {
    method: 'POST',
    token,
  })
  expect(asked.status, asked.text).toBeLessThan(300)
}

async function book({ product, workspace }: World): Promise<void> {
  const hours = [{ from: '00:00', to: '23:30' }]
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  await product.call(`/api/v1/tenants/${workspace.tenantId}`, {
    method: 'PATCH',
    token: workspace.token,
    body: { office_hours: Object.fromEntries(days.map((day) => [day, hours])) },
  })
  const { token, sessionId } = await talk(product, workspace)
  const path = `/api/v1/chatbot/sessions/${sessionId}`
  const free = await product.call<{ data: { start: string }[] }>(`${path}/slots`, { token })
  const booked = await product.call(`${path}/appointment`, {
    token,
    body: { start: free.body.data[0]?.start, name: 'Ayşe Yılmaz', email: 'ayse@example.com' },
  })
  expect(booked.status, booked.text).toBe(201)
}

/** A visitor writes; resolves with what is needed to go on. */
export async function talk(
  product: PromptProduct,
  workspace: TestWorkspace,
): Promise<{ token: string; sessionId: string }> {
  const token = await becomeVisitor(product, workspace)
  const said = await product.call<{ session_id: string }>('/api/v1/chatbot/message', {
    token,
    body: { tenant_id: workspace.tenantId, message: 'Merhaba, açık mısınız?' },
  })
  expect(said.status, said.text).toBe(200)
  return { token, sessionId: said.body.session_id }
}
