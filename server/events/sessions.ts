import { z } from 'zod'
import { Lead } from '../leads/schema.ts'
import { publicEvent, SAMPLE_TIME } from './descriptor.ts'

/** A session and the bot of its site. */
const SessionRef = { tenant_id: z.string(), chatbot_id: z.string(), session_id: z.string() }
const SESSION = {
  tenant_id: 'demo',
  chatbot_id: 'bot_7Qm2xKfW9sLrT4vYc1HbNp',
  session_id: 'ses_3ZtVn8RqXw5kJd0LpYcGhM',
}
const VISITOR = { name: 'Ayşe Yılmaz', phone: '+905321234567', email: 'ayse@example.com' }
const AppointmentRef = {
  ...SessionRef,
  appointment_id: z.string(),
  start: z.string(),
  end: z.string(),
  service: z.string().nullable(),
  name: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
}
const APPOINTMENT = {
  ...SESSION,
  appointment_id: 'apt_9KcXv4TnQw7LmRz2HsYbFj',
  start: '2026-11-24T08:00:00.000Z',
  end: '2026-11-24T08:30:00.000Z',
  service: 'Kontrol',
  ...VISITOR,
}
const LEAD = {
  lead_id: 'lead_5FhWq2NzKs8YbRt1VxMcPd',
  chatbot_id: SESSION.chatbot_id,
  session_id: SESSION.session_id,
  sector: 'saglik',
  ...VISITOR,
  interest: 'Diş beyazlatma',
  source: 'widget_form',
  captured_at: SAMPLE_TIME,
  confidence: 1,
}
const State = z.enum(['bot', 'waiting', 'operator', 'closed'])

/** Events of conversations on a customer's site. */
export const sessionEvents = {
  'session.started': publicEvent(
    {
      data: z.object({
        ...SessionRef,
        channel: z.string(),
        locale: z.string(),
        page_url: z.string().nullable(),
        started_at: z.string(),
      }),
      sample: {
        ...SESSION,
        channel: 'widget',
        locale: 'tr',
        page_url: null,
        started_at: SAMPLE_TIME,
      },
    },
    { rulePriority: 'info' },
  ),
  'message.received': publicEvent(
    {
      data: z.object({
        ...SessionRef,
        message_id: z.string(),
        text: z.string(),
        channel: z.string(),
        received_at: z.string(),
      }),
      sample: {
        ...SESSION,
        message_id: 'msg_1KxRv6TqNw4ZmLs9YcHbPf',
        text: 'Yarın açık mısınız?',
        channel: 'widget',
        received_at: SAMPLE_TIME,
      },
    },
    { publicName: 'chatbot.message' },
  ),
  /** The bot, an operator or the service wrote: for channels that carry the text to a visitor. */
  'message.sent': {
    data: z.object({
      tenant_id: z.string(),
      session_id: z.string(),
      message_id: z.string(),
      role: z.enum(['assistant', 'operator', 'system']),
      text: z.string(),
      channel: z.string(),
      /** Whether the message is the bot's answer to a question. */
      is_answer: z.boolean(),
      sent_at: z.string(),
    }),
  },
  'session.changed': {
    data: z.object({
      tenant_id: z.string(),
      session_id: z.string(),
      previous_state: State,
      state: State,
      reason: z.enum([
        'requested',
        'claimed',
        'assigned',
        'released',
        'closed',
        'reopened',
        'unanswered',
      ]),
      /** The operator who has the session after the change. */
      user_id: z.string().nullable(),
      changed_at: z.string(),
    }),
  },
  'session.erased': { data: z.object({ session_id: z.string() }) },
  /** A site is removed. Handlers run before its row is deleted. */
  'tenant.removed': { data: z.object({ tenant_id: z.string() }) },
  /** A workspace chose other models: its passages may need other vectors, or none. */
  'embedding.changed': { data: z.object({}) },
  /** The sessions of a site were deleted because the site is removed. */
  'sessions.removed': {
    data: z.object({ tenant_id: z.string(), session_ids: z.array(z.string()) }),
  },
  /** A visitor wrote a phone number or an address, and the rest of a lead is missing yet: once a session. */
  'contact.given': { data: z.object({ session_id: z.string() }) },
  /** Contact details were kept, of which a part may be missing: once per session. */
  'lead.kept': publicEvent({ data: Lead, sample: LEAD }, { publicName: 'chatbot.lead' }),
  /** Name, phone number and e-mail address are complete: once per session. */
  'lead.created': publicEvent({ data: Lead, sample: LEAD }, { rulePriority: 'high' }),
  'appointment.created': publicEvent(
    {
      data: z.object({ ...AppointmentRef, confidence: z.number() }),
      sample: { ...APPOINTMENT, confidence: 1 },
    },
    { rulePriority: 'high' },
  ),
}

/** Events of questions that the bot leaves to a person or to nobody. */
export const handoffEvents = {
  /** The bot answered that it does not know, in turns that ended together; in the order of their ends. */
  'questions.unanswered': {
    data: z.object({
      questions: z.array(
        z.object({
          ...SessionRef,
          message_id: z.string(),
          text: z.string(),
          /** Whether the message asked more, which the reply answers. */
          is_partial: z.boolean(),
          locale: z.string(),
          asked_at: z.string(),
        }),
      ),
    }),
  },
  /** A visitor has waited for an operator's answer for a minute. */
  'visitor.waiting': {
    data: z.object({ tenant_id: z.string(), session_id: z.string(), waiting_since: z.string() }),
  },
  /** A message has no answer, because the site has used its credits of the day. */
  'turn.capped': { data: z.object({ session_id: z.string(), message_id: z.string() }) },
  'handoff.requested': publicEvent(
    {
      data: z.object({
        ...SessionRef,
        reason: z.enum(['visitor', 'low_confidence', 'model', 'operator']),
        /** The confidence of the last answer, 0–1. */
        confidence: z.number(),
        requested_at: z.string(),
      }),
      sample: { ...SESSION, reason: 'visitor', confidence: 0.35, requested_at: SAMPLE_TIME },
    },
    { rulePriority: 'medium' },
  ),
}

/** Events of what follows a conversation, for rules alone. */
export const followUpEvents = {
  'appointment.changed': publicEvent(
    {
      data: z.object({ ...AppointmentRef, changed_at: z.string() }),
      sample: { ...APPOINTMENT, changed_at: SAMPLE_TIME },
    },
    { rulePriority: 'info' },
  ),
  'appointment.cancelled': publicEvent(
    {
      data: z.object({ ...AppointmentRef, cancelled_at: z.string() }),
      sample: { ...APPOINTMENT, cancelled_at: SAMPLE_TIME },
    },
    { rulePriority: 'info' },
  ),
  'session.closed': publicEvent(
    {
      data: z.object({ ...SessionRef, channel: z.string(), closed_at: z.string() }),
      sample: { ...SESSION, channel: 'widget', closed_at: SAMPLE_TIME },
    },
    { rulePriority: 'info' },
  ),
  'feedback.given': publicEvent(
    {
      data: z.object({
        ...SessionRef,
        message_id: z.string().nullable(),
        /** 1–5. */
        rating: z.int(),
        comment: z.string().nullable(),
        /** The visitor's earlier rating of the same message or session. */
        replaces: z.object({ rating: z.int(), given_at: z.string() }).nullable(),
        given_at: z.string(),
      }),
      sample: {
        ...SESSION,
        message_id: null,
        rating: 5,
        comment: 'Çok hızlıydı.',
        replaces: null,
        given_at: SAMPLE_TIME,
      },
    },
    { rulePriority: 'info' },
  ),
  'operator.message': publicEvent(
    {
      data: z.object({
        ...SessionRef,
        message_id: z.string(),
        /** The operator. */
        user_id: z.string(),
        text: z.string(),
        channel: z.string(),
        sent_at: z.string(),
      }),
      sample: {
        ...SESSION,
        message_id: 'msg_1KxRv6TqNw4ZmLs9YcHbPf',
        user_id: 'usr_8QvXc3RnTw6LkZs1HmYdBp',
        text: 'Yarın 10.00 uygun mu?',
        channel: 'widget',
        sent_at: SAMPLE_TIME,
      },
    },
    { rulePriority: 'info' },
  ),
}
