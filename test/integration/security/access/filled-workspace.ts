import { createECDH } from 'node:crypto'
import { expect } from 'vitest'
import type { CreatedAction } from '../../../../server/actions/schema.ts'
import type { Appointment, Slots } from '../../../../server/appointments/schema.ts'
import type { HistoryMessage, Turn } from '../../../../server/chat/schema.ts'
import type { TestQuestion } from '../../../../server/evaluation/schema.ts'
import type { SocialPost } from '../../../../server/integrations/schema.ts'
import type { CannedReply } from '../../../../server/inbox/schema.ts'
import type { Lead } from '../../../../server/leads/schema.ts'
import type { ApiKey, Member } from '../../../../server/platform/schema.ts'
import type { RuleDelivery } from '../../../../server/rules/schema.ts'
import type {
  CreatedApiKey,
  CreatedIntegration,
  CreatedRule,
  CreatedSubscription,
  Page,
  Run,
  VisitorAnswer,
} from '../../../helpers/answers.ts'
import { leaveUnanswered } from '../../../helpers/knowledge.ts'
import { type HttpProduct, type TestWorkspace, addDocument } from '../../../helpers/product.ts'

const DAY = [{ from: '00:00', to: '23:59' }]
/** A tenant that takes appointments at any hour, and files. */
export const ALWAYS_OPEN = {
  office_hours: { mon: DAY, tue: DAY, wed: DAY, thu: DAY, fri: DAY, sat: DAY, sun: DAY },
  attachments: true,
}

/** A key of the workspace's owner. */
export async function makeKey(product: HttpProduct, { token }: TestWorkspace): Promise<string> {
  const made = await product.call<CreatedApiKey>('/api/v1/api-keys', {
    token,
    body: { name: 'A program' },
  })
  expect(made.status, made.text).toBe(201)
  return made.body.key
}

/** Makes one of everything that has an id, and answers the ids by the name that routes give them. */
export async function fillWorkspace(
  product: HttpProduct,
  own: TestWorkspace,
  ownVisitor: string,
): Promise<Record<string, string>> {
  const { token, tenantId } = own
  const docId = await addDocument(product, own, { title: 'Hours', content: 'Open at nine.' })
  const rule = await product.call<CreatedRule>('/api/v1/webhooks/rules-engine/rules', {
    token,
    body: { name: 'Leads', event: 'lead.created', url: 'http://127.0.0.1:9/' },
  })
  const subscription = await product.call<CreatedSubscription>('/api/v1/webhooks', {
    token,
    body: { url: 'http://127.0.0.1:9/', events: ['chatbot.lead'] },
  })
  const events = await product.call<{ data: { id: string }[] }>(
    `/api/v1/webhooks/${subscription.body.id}/deliveries`,
    { token },
  )
  const turn = await product.call<Turn>('/api/v1/chatbot/message', {
    token: ownVisitor,
    body: { tenant_id: tenantId, message: 'When do you open?' },
  })
  const lead = await product.call<Lead>(`/api/v1/chatbot/sessions/${turn.body.session_id}/lead`, {
    token: ownVisitor,
    body: { name: 'Ayşe', phone: '+905321234567', email: 'ayse@example.com' },
  })
  const talk = `/api/v1/chatbot/sessions/${turn.body.session_id}`
  const form = new FormData()
  form.append('file', new Blob(['%PDF-1.7']), 'invoice.pdf')
  const file = await fetch(`${product.url}${talk}/attachments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownVisitor}` },
    body: form,
  })
  const sent: HistoryMessage = JSON.parse(await file.text())
  const messageId = turn.body.reply?.message_id ?? ''
  await product.call(`${talk}/feedback`, {
    token: ownVisitor,
    body: { message_id: messageId, rating: 'down' },
  })
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const push = await product.call<{ id: string }>('/api/v1/account/push-subscriptions', {
    token,
    body: {
      endpoint: 'http://127.0.0.1:9/push',
      keys: { p256dh: browser.getPublicKey('base64url'), auth: 'A'.repeat(22) },
    },
  })
  const slots = await product.call<Slots>(`${talk}/slots`, {
    token: ownVisitor,
  })
  const appointment = await product.call<Appointment>(`${talk}/appointment`, {
    token: ownVisitor,
    body: { name: 'Ayşe', start: slots.body.data[0]?.start },
  })
  const canned = await product.call<CannedReply>('/api/v1/canned-replies', {
    token,
    body: { title: 'Hello', text: 'Hello there.' },
  })
  const invited = await product.call<Member>('/api/v1/members', {
    token,
    body: { email: `invited-${tenantId}@example.com`, role: 'operator' },
  })
  const integration = await product.call<CreatedIntegration>('/api/v1/integrations', {
    token,
    body: { kind: 'generic', tenant_id: tenantId },
  })
  const page = await product.call<CreatedIntegration>('/api/v1/integrations', {
    token,
    body: {
      kind: 'meta',
      tenant_id: tenantId,
      settings: { account_id: '1', access_token: 'a-token-of-a-page' },
    },
  })
  const post = await product.call<SocialPost>('/api/v1/social/posts', {
    token,
    body: {
      integration_id: page.body.integration_id,
      text: 'Hello',
      publish_at: '2100-01-04T09:00:00Z',
    },
  })
  const deliveries = await product.call<Page<RuleDelivery>>(
    `/api/v1/webhooks/rules-engine/rules/${rule.body.rule_id}/deliveries`,
    { token },
  )
  await product.call('/api/v1/prompts', {
    token,
    body: {
      prompt_id: 'our-prompt',
      title: 'Ours',
      kind: 'fixed',
      credits_cost: 1,
      template: 'Ours.',
      inputs_schema: { type: 'object' },
    },
  })
  await product.call('/api/v1/memory/our-fact', { method: 'PUT', token, body: { value: 'x' } })
  await product.call('/api/v1/prompts/execute', {
    token,
    body: { prompt_id: 'summary', inputs: { text: 'One sentence. Another one.' } },
  })
  const runs = await product.call<Page<Run>>('/api/v1/runs', { token })
  const testQuestion = await product.call<TestQuestion>(`/api/v1/tenants/${tenantId}/questions`, {
    token,
    body: { question: 'When do you open?', expected: { words: ['nine'] } },
  })
  const action = await product.call<CreatedAction>(`/api/v1/tenants/${tenantId}/actions`, {
    token,
    body: {
      name: 'Order status',
      when: 'Somebody asks where an order is.',
      url: 'http://127.0.0.1:9/orders',
      answer: { say: 'It is on its way.' },
    },
  })
  await makeKey(product, own)
  const keys = await product.call<Page<ApiKey>>('/api/v1/api-keys', { token })
  const talked = await product.call<VisitorAnswer>(`/api/v1/inbox/${turn.body.session_id}`, {
    token,
  })
  return {
    visitor_id: talked.body.visitor_id,
    tenant_id: tenantId,
    doc_id: docId,
    question_id: await leaveUnanswered(product, own, ownVisitor),
    test_question_id: testQuestion.body.question_id,
    session_id: turn.body.session_id,
    lead_id: lead.body.lead_id,
    appointment_id: appointment.body.appointment_id,
    canned_reply_id: canned.body.canned_reply_id,
    integration_id: integration.body.integration_id,
    social_post_id: post.body.social_post_id,
    rule_id: rule.body.rule_id,
    wh_id: deliveries.body.data[0]?.webhook_id ?? '',
    whs_id: subscription.body.id,
    evt_id: events.body.data[0]?.id ?? '',
    key_id: keys.body.data[0]?.id ?? '',
    ws_id: own.id,
    member_id: invited.body.id,
    run_id: runs.body.data[0]?.run_id ?? '',
    prompt_id: 'our-prompt',
    key: 'our-fact',
    message_id: messageId,
    attachment_id: sent.attachments[0]?.attachment_id ?? '',
    push_id: push.body.id,
    action_id: action.body.action_id,
  }
}
