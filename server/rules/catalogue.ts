import { z } from 'zod'
import { type DataOf, EventData } from '../events.ts'
import type { CatalogueEntry, Priority, RuleEvent } from './schema.ts'

const AT = '2026-11-21T09:30:00.000Z'
const CHAT = {
  tenant_id: 'demo',
  chatbot_id: 'bot_7Qm2xKfW9sLrT4vYc1HbNp',
  session_id: 'ses_3ZtVn8RqXw5kJd0LpYcGhM',
}
const PAYMENT = {
  tenant_id: 'demo',
  provider: 'stripe',
  amount: 129_900,
  currency: 'TRY',
  customer_email: 'ayse@example.com',
}

/** Each event that a rule can wait for: its priority and the data of an example. */
export const CATALOGUE: { [Event in RuleEvent]: { priority: Priority; data: DataOf<Event> } } = {
  'session.started': {
    priority: 'info',
    data: { ...CHAT, channel: 'widget', locale: 'tr', page_url: null, started_at: AT },
  },
  'lead.created': {
    priority: 'high',
    data: {
      lead_id: 'lead_5FhWq2NzKs8YbRt1VxMcPd',
      chatbot_id: CHAT.chatbot_id,
      session_id: CHAT.session_id,
      sector: 'saglik',
      name: 'Ayşe Yılmaz',
      phone: '+905321234567',
      email: 'ayse@example.com',
      interest: 'Diş beyazlatma',
      source: 'widget_form',
      captured_at: AT,
      confidence: 1,
    },
  },
  'appointment.created': {
    priority: 'high',
    data: {
      ...CHAT,
      appointment_id: 'apt_9KcXv4TnQw7LmRz2HsYbFj',
      start: '2026-11-24T08:00:00.000Z',
      end: '2026-11-24T08:30:00.000Z',
      service: 'Kontrol',
      name: 'Ayşe Yılmaz',
      phone: '+905321234567',
      email: 'ayse@example.com',
      confidence: 1,
    },
  },
  'payment.succeeded': {
    priority: 'critical',
    data: { ...PAYMENT, payment_id: 'pi_3PqXw5kJd0LpYcGh', paid_at: AT },
  },
  'payment.failed': {
    priority: 'critical',
    data: {
      ...PAYMENT,
      payment_id: 'pi_3ZtVn8RqXw5kJd0L',
      reason: 'card_declined',
      failed_at: AT,
    },
  },
  'subscription.plan_changed': {
    priority: 'high',
    data: { previous_plan: 'starter', plan: 'klinik_pro', change: 'upgrade', changed_at: AT },
  },
  'handoff.requested': {
    priority: 'medium',
    data: { ...CHAT, reason: 'visitor', confidence: 0.35, requested_at: AT },
  },
  'quota.threshold_reached': {
    priority: 'medium',
    data: {
      threshold: 0.8,
      used: 16_000,
      monthly_limit: 20_000,
      reset_at: '2026-12-01T00:00:00.000Z',
    },
  },
}

/** An event as the catalogue shows it, with a body as a receiver would get it. */
export function catalogueEntry(event: RuleEvent): CatalogueEntry {
  const { priority, data } = CATALOGUE[event]
  return {
    event,
    priority,
    schema: z.toJSONSchema(EventData[event]),
    sample: {
      event,
      webhook_id: 'wh_2NbYt6QxZk9RwLs4VfHcJm',
      timestamp: AT,
      data,
      signature: `sha256=${'0'.repeat(64)}`,
    },
  }
}
