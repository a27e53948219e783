import { expect } from 'vitest'
import type { Appointment, Slots } from '../../../server/appointments/schema.ts'
import type { Turn } from '../../../server/chat/schema.ts'
import { startDueMonths } from '../../../server/credits/month-rollover.ts'
import type { SocialPost } from '../../../server/integrations/schema.ts'
import { DAY_MS } from '../../../server/lib/durations.ts'
import type { RuleEvent } from '../../../server/rules/schema.ts'
import type { PlatformEvent } from '../../../server/subscriptions/schema.ts'
import type { TestClock } from '../../helpers/clock.ts'
import { ACCESS_TOKEN, startChannelServers } from '../../helpers/servers/channel-servers.ts'
import { addVisitor, type TestWorkspace } from '../../helpers/product.ts'
import { patchWorkspace } from '../credits/ledger.ts'
import { facebookComment, intent, metaText, paidCheckout } from '../integrations/notifications.ts'
import { openIntegration, tell } from '../integrations/setup.ts'
import { execute, NAME, type PromptProduct } from '../prompts/setup.ts'

/** A workspace of its own, with eight credits a month and a prompt `greeting` that costs them all. */
export interface World {
  product: PromptProduct
  workspace: TestWorkspace
  clock: TestClock
}

/** Lets the event happen, through the product's front door. */
type Cause = (world: World) => Promise<unknown>

export const PLATFORM_CAUSES: Record<PlatformEvent, Cause> = {
  'prompt.executed': runPrompt,
  'prompt.failed': async (world) => {
    world.product.model.act = { status: 400 }
    await execute(world.product, world.workspace, { prompt_id: 'greeting', ...NAME })
    world.product.model.act = { text: ['Hello'] }
  },
  'chatbot.message': write,
  'chatbot.lead': leaveContact,
  'social.post.published': publish,
  'social.comment.received': (world) => hear(world, 'meta', facebookComment('Harika!')),
  'social.dm.received': (world) => hear(world, 'meta', metaText('5550009', 'Merhaba')),
  'credits.low': runPrompt,
  'subscription.renewed': async ({ product, clock }) => {
    clock.move(31 * DAY_MS)
    // The job that runs every few minutes, for those who do nothing.
    await startDueMonths(product.ctx)
  },
  'subscription.cancelled': ({ product, workspace }) =>
    patchWorkspace(product, workspace, { cancelled: true }),
}

export const CHAT_CAUSES: Record<RuleEvent, Cause> = {
  'session.started': write,
  'lead.created': leaveContact,
  'appointment.created': book,
  'payment.succeeded': (world) => hear(world, 'stripe', paidCheckout()),
  'payment.failed': (world) => hear(world, 'stripe', intent('payment_failed')),
  'subscription.plan_changed': ({ product, workspace }) =>
    patchWorkspace(product, workspace, { plan: 'ajans_pro' }),
  'handoff.requested': askForPerson,
  'quota.threshold_reached': runPrompt,
  'appointment.changed': async (world) => {
    const { path, token, next } = await book(world)
    const moved = await world.product.call(path, { method: 'PATCH', token, body: { start: next } })
    expect(moved.status, moved.text).toBe(200)
  },
  'appointment.cancelled': async (world) => {
    const { path, token } = await book(world)
    const body = { state: 'cancelled' }
    const ended = await world.product.call(path, { method: 'PATCH', token, body })
    expect(ended.status, ended.text).toBe(200)
  },
  'session.closed': (world) => operate(world, 'close', 200),
  'feedback.given': async ({ product, workspace }) => {
    const { token, sessionId } = await talk(product, workspace)
    const body = { rating: 4, comment: 'Hızlıydı' }
    await product.call(`/api/v1/chatbot/sessions/${sessionId}/feedback`, { token, body })
  },
  'operator.message': (world) => operate(world, 'messages', 201, { text: 'Buyurun?' }),
}

/** An operator acts on a new conversation. */
async function operate(
  { product, workspace }: World,
  what: string,
  status: number,
  body?: object,
): Promise<void> {
  const { sessionId } = await talk(product, workspace)
  const done = await product.call(`/api/v1/inbox/${sessionId}/${what}`, {
    method: 'POST',
    token: workspace.token,
    body,
  })
  expect(done.status, done.text).toBe(status)
}

/** A provider calls an integration of the workspace. */
async function hear({ product, workspace }: World, kind: string, body: object): Promise<void> {
  const opened = await openIntegration(product, workspace, kind)
  expect(await tell(product, opened, body)).toMatchObject({ status: 200, body: { received: 1 } })
}

async function publish({ product, workspace }: World): Promise<void> {
  const servers = await startChannelServers()
  const { token } = workspace
  const { integration_id } = await openIntegration(product, workspace, 'meta', {
    account_id: '1906385232743451',
    access_token: ACCESS_TOKEN,
    api_base_url: servers.url,
  })
  const body = { integration_id, text: 'Bugün açığız.' }
  const made = await product.call<SocialPost>('/api/v1/social/posts', {
    token,
    body,
  })
  const path = `/api/v1/social/posts/${made.body.social_post_id}`
  const state = async () => (await product.call<SocialPost>(path, { token })).body.state
  await expect.poll(state).toBe('published')
  await servers.close()
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

/** A visitor books; resolves with the appointment's route, for its workspace. */
async function book({
  product,
  workspace,
}: World): Promise<{ path: string; token: string; next: string | undefined }> {
  const hours = [{ from: '00:00', to: '23:30' }]
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  await product.call(`/api/v1/tenants/${workspace.tenantId}`, {
    method: 'PATCH',
    token: workspace.token,
    body: { office_hours: Object.fromEntries(days.map((day) => [day, hours])) },
  })
  const { token, sessionId } = await talk(product, workspace)
  const path = `/api/v1/chatbot/sessions/${sessionId}`
  const free = await product.call<Slots>(`${path}/slots`, { token })
  const booked = await product.call<Appointment>(`${path}/appointment`, {
    token,
    body: { start: free.body.data[0]?.start, name: 'Ayşe Yılmaz', email: 'ayse@example.com' },
  })
  expect(booked.status, booked.text).toBe(201)
  return {
    path: `/api/v1/appointments/${booked.body.appointment_id}`,
    token: workspace.token,
    next: free.body.data[1]?.start,
  }
}

/** A visitor writes; resolves with what is needed to go on. */
export async function talk(
  product: PromptProduct,
  workspace: TestWorkspace,
): Promise<{ token: string; sessionId: string }> {
  const token = await addVisitor(product, workspace)
  const said = await product.call<Turn>('/api/v1/chatbot/message', {
    token,
    body: { tenant_id: workspace.tenantId, message: 'Merhaba, açık mısınız?' },
  })
  expect(said.status, said.text).toBe(200)
  return { token, sessionId: said.body.session_id }
}
