import type { DataOf } from '../events.ts'
import type { INSIDE } from './event-names.ts'
import type { PlatformEvent } from './schema.ts'

const AT = '2026-11-21T09:30:00.000Z'
const TALK = {
  chatbot_id: 'bot_7Qm2xKfW9sLrT4vYc1HbNp',
  session_id: 'ses_3ZtVn8RqXw5kJd0LpYcGhM',
}
const RUN = {
  run_id: 'run_6GhYb3NxTq8WmKz1RvLcPd',
  prompt_id: 'blog-outline',
  user_id: 'usr_4DfJw9RnXs2VtKy7QmBcHz',
  request_id: 'req_8MsQk5VzLp3TnWx9YbHcRj',
}
const SOCIAL = { platform: 'instagram', account_id: '17841400000000000' }
const SAID = { author: 'ayse.yilmaz', text: 'Merhaba, fiyat alabilir miyim?' }

/** The data of an example of each event, as a test sends it. */
export const SAMPLES = {
  'prompt.executed': {
    run_id: RUN.run_id,
    prompt_id: RUN.prompt_id,
    prompt_version: 3,
    user_id: RUN.user_id,
    credits_used: 4,
    credits_remaining: 18_231,
    duration_ms: 1_840,
    locale: 'tr',
    request_id: RUN.request_id,
  },
  'prompt.failed': {
    ...RUN,
    code: 'model_timeout',
    detail: 'The model was silent for 60 s.',
  },
  'chatbot.message': {
    tenant_id: 'demo',
    ...TALK,
    message_id: 'msg_1KxRv6TqNw4ZmLs9YcHbPf',
    text: 'Yarın açık mısınız?',
    channel: 'widget',
    received_at: AT,
  },
  'chatbot.lead': {
    lead_id: 'lead_5FhWq2NzKs8YbRt1VxMcPd',
    ...TALK,
    sector: 'saglik',
    name: 'Ayşe Yılmaz',
    phone: '+905321234567',
    email: 'ayse@example.com',
    interest: 'Diş beyazlatma',
    source: 'widget_form',
    captured_at: AT,
    confidence: 1,
  },
  'social.post.published': {
    ...SOCIAL,
    post_id: '17900000000000001',
    url: 'https://www.instagram.com/p/example/',
    published_at: AT,
  },
  'social.comment.received': {
    ...SOCIAL,
    post_id: '17900000000000001',
    comment_id: '17900000000000002',
    ...SAID,
  },
  'social.dm.received': { ...SOCIAL, message_id: 'mid.17900000000000003', ...SAID },
  'credits.low': {
    remaining: 1_900,
    monthly_limit: 20_000,
    addons: 0,
    reset_at: '2026-12-01T00:00:00.000Z',
  },
  'subscription.renewed': {
    plan: 'klinik_pro',
    period_start: '2026-12-01T00:00:00.000Z',
    period_end: '2027-01-01T00:00:00.000Z',
  },
  'subscription.cancelled': { plan: 'klinik_pro', ends_at: '2026-12-01T00:00:00.000Z' },
} satisfies { [Event in PlatformEvent]: DataOf<(typeof INSIDE)[Event]> }
