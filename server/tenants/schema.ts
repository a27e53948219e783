import { z } from 'zod'
import { IsoTime } from '../http/pagination.ts'
import { text } from '../http/text-field.ts'

export const TenantId = z.string().regex(/^[a-z0-9-]{3,40}$/, 'must match [a-z0-9-]{3,40}')
export const Locale = z
  .string()
  .regex(/^[a-z]{2}(-[A-Z]{2})?$/, 'must be a language code like "tr"')

/** A text that visitors see: one for all languages, or one by locale, such as `{tr: …, en: …}`. */
function localized(min: number, max: number) {
  return z.union([text(min, max), z.partialRecord(Locale, text(min, max))])
}
export type LocalizedText = string | Partial<Record<string, string>>

const MAX_QUICK_REPLIES = 6
const MAX_QUICK_REPLY_LENGTH = 80
const MAX_SYNONYM_GROUPS = 200
const MAX_SYNONYMS = 20

const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a color like "#1d4ed8"')

/** A path of the site; `*` is a wildcard. */
const PathPattern = text(1, 200)

/** Pages and times at which the widget shows itself. All off by default. */
export const PageRules = z.strictObject({
  /** Paths that show the widget, and paths that hide it. */
  show_on: z.array(PathPattern).max(50).optional(),
  hide_on: z.array(PathPattern).max(50).optional(),
  /** A text beside the launcher: after this many seconds, or when the pointer leaves the page. */
  invitation: z
    .strictObject({
      text: localized(1, 200),
      after_seconds: z.int().min(1).max(3_600).optional(),
      on_exit: z.boolean().optional(),
    })
    .optional(),
  /** Whether the widget reports its cost to the page: bytes, times, shifts. */
  report_cost: z.boolean().optional(),
})
export type PageRules = z.infer<typeof PageRules>

/** The path of an uploaded logo, on this installation. */
const UPLOADED_LOGO = /^\/api\/v1\/logos\/logo_\w+$/

/** The address of a logo: on the web, or the path of an uploaded one. */
const LogoUrl = z
  .string()
  .max(2_048)
  .refine(
    (value) => UPLOADED_LOGO.test(value) || z.url({ protocol: /^https$/ }).safeParse(value).success,
    'must be an https URL, or the address of an uploaded logo',
  )

/** The address of an uploaded logo, for a site's theme. */
export const Logo = z.object({ logo_url: z.string() })
export type Logo = z.infer<typeof Logo>

export const Theme = z.strictObject({
  color: Color.optional(),
  radius: z.int().min(0).max(24).optional(),
  logo_url: LogoUrl.optional(),
  page: PageRules.optional(),
})
export type Theme = z.infer<typeof Theme>

/** A bookable service and its length. */
export const Service = z.strictObject({
  name: text(1, 80),
  minutes: z.int().min(5).max(480),
})
export type Service = z.infer<typeof Service>

export const MAX_HOLIDAYS = 100
const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like "09:00"')
const Hours = z.array(z.strictObject({ from: Clock, to: Clock })).max(4)
/**
 * Opening hours of each weekday in the tenant's time zone; a day that is left out is closed, and so
 * are holidays, such as `2026-12-31`. Hours that end before they start end on the next day.
 */
export const OfficeHours = z.strictObject({
  mon: Hours.optional(),
  tue: Hours.optional(),
  wed: Hours.optional(),
  thu: Hours.optional(),
  fri: Hours.optional(),
  sat: Hours.optional(),
  sun: Hours.optional(),
  holidays: z.array(z.iso.date()).max(MAX_HOLIDAYS).optional(),
})
export type OfficeHours = z.infer<typeof OfficeHours>

/** An IANA time zone. */
export const TimeZone = z.string().refine((value) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}, 'must be a time zone like "Europe/Istanbul"')

/** Appointments lie within the office hours. */
const AppointmentForm = z.strictObject({
  enabled: z.boolean().optional(),
  services: z.array(Service).max(30).optional(),
  /** Merged with `office_hours.holidays`: a day on either list is closed. */
  holidays: z.array(z.iso.date()).max(MAX_HOLIDAYS).optional(),
  /** Minimum notice before a visitor may book, move or cancel an appointment. */
  notice_minutes: z.int().min(0).max(43_200).optional(),
  /** Number of days that visitors can book ahead. */
  days_ahead: z.int().min(1).max(365).optional(),
  /** Recipient of notifications; the workspace's owners when left out. */
  notify_email: z.email().max(254).optional(),
})
export type AppointmentForm = z.infer<typeof AppointmentForm>

/** The parts of a contact. */
export const ContactPart = z.enum(['name', 'phone', 'email'])
export type ContactPart = z.infer<typeof ContactPart>

export const Forms = z.strictObject({
  appointment: AppointmentForm.optional(),
  lead: z
    .strictObject({
      enabled: z.boolean().optional(),
      consent_text: localized(0, 1_000).optional(),
      /** Whether an address counts only with the code that was mailed to it. */
      verify_email: z.boolean().optional(),
      /** The fields that a visitor must fill in; all by default. */
      required: z
        .array(ContactPart)
        .min(1)
        .refine((parts) => new Set(parts).size === parts.length, 'names a part twice')
        .optional(),
    })
    .optional(),
})
export type Forms = z.infer<typeof Forms>

/** Retention of sessions, and the consent that the site requires. */
export const Privacy = z.strictObject({
  /** Days of inactivity after which a session is erased; `null` disables retention. */
  retention_days: z.int().min(1).max(3_650).nullable().optional(),
  /** Whether retention spares sessions with a lead. */
  keep_leads: z.boolean().optional(),
  /** Whether contact details require the consent beside the form. */
  consent_required: z.boolean().optional(),
  /** The site's privacy policy, linked beside the forms. */
  policy_url: z
    .url({
      protocol: /^https?$/,
      error: 'must be a web address like "https://example.com/privacy"',
    })
    .max(2_048)
    .optional(),
})
export type Privacy = z.infer<typeof Privacy>

/** Protection against automated visitors. */
export const Abuse = z.strictObject({
  /**
   * Whether a browser needs a proof of work to become a visitor: never, under load (the default),
   * always.
   */
  proof_of_work: z.enum(['off', 'auto', 'always']).optional(),
  /** Usual number of new visitors a minute; the difficulty grows above it. */
  usual_visitors: z.int().min(1).max(100_000).optional(),
})
export type Abuse = z.infer<typeof Abuse>

/** How a model is to write to the visitors of a site; its facts stay in the documents. */
export const Assistant = z.strictObject({
  /** Such as "warm and brief, addresses visitors formally". */
  tone: text(0, 300).optional(),
  instructions: text(0, 2_000).optional(),
})
export type Assistant = z.infer<typeof Assistant>

/** An origin as a browser sends it: scheme and host, no path. */
const Origin = z
  .url({ protocol: /^https?$/, error: 'must be an origin like "https://example.com"' })
  .refine((value) => URL.canParse(value) && new URL(value).origin === value, {
    message: 'must be an origin like "https://example.com", without a path',
  })

/** The messaging apps of inbound sessions. */
export const MessagingApp = z.enum(['whatsapp', 'telegram', 'meta'])
export type MessagingApp = z.infer<typeof MessagingApp>

const CHANNEL_NAMES = ['widget', ...MessagingApp.options] as const

/** The channels in which a site's bot answers: its pages, and messaging apps. */
export const Channels = z.array(z.enum(CHANNEL_NAMES)).max(CHANNEL_NAMES.length)
export type ChannelName = z.infer<typeof Channels>[number]

const TenantFields = {
  name: text(1, 120),
  sector: z.string().regex(/^[a-z0-9-]{0,60}$/, 'must be a slug like "dental-clinic"'),
  locale: Locale,
  time_zone: TimeZone,
  handoff: z.enum(['auto', 'offer', 'off']),
  /** Time after which a visitor whom no operator answers is given back to the bot. */
  handoff_timeout_seconds: z.int().min(60).max(3_600),
  allowed_origins: z.array(Origin).max(100),
  theme: Theme,
  greeting: localized(0, 500),
  /** One list for all languages, each text perhaps by locale, or a list by locale. */
  quick_replies: z.union([
    z.array(localized(1, MAX_QUICK_REPLY_LENGTH)).max(MAX_QUICK_REPLIES),
    z.partialRecord(Locale, z.array(text(1, MAX_QUICK_REPLY_LENGTH)).max(MAX_QUICK_REPLIES)),
  ]),
  /** Groups of words that mean the same on this site, beside the shipped ones. */
  synonyms: z.array(z.array(text(1, 40)).min(2).max(MAX_SYNONYMS)).max(MAX_SYNONYM_GROUPS),
  answer_threshold: z.number().min(0).max(1),
  office_hours: OfficeHours,
  slot_minutes: z.int().min(5).max(480),
  forms: Forms,
  channels: Channels,
  privacy: Privacy,
  abuse: Abuse,
  /** Whether visitors and operators can send each other files. */
  attachments: z.boolean(),
  assistant: Assistant,
  mcp: z
    .enum(['off', 'public'])
    .describe('`public`: assistants of anybody may search and ask the site at `/mcp/{tenant_id}`'),
  daily_credit_cap: z.number().min(0).max(1_000_000).nullable(),
  active: z.boolean(),
}

const { name, ...optionalFields } = TenantFields
export const NewTenant = z.strictObject({
  tenant_id: TenantId,
  name,
  ...z.object(optionalFields).partial().shape,
})
export type NewTenant = z.infer<typeof NewTenant>

export const TenantPatch = z.strictObject(z.object(TenantFields).partial().shape)
export type TenantPatch = z.infer<typeof TenantPatch>

export const Tenant = z.object({
  ...TenantFields,
  tenant_id: z.string(),
  chatbot_id: z.string(),
  sector: z.string(),
  /** A site without a cap of its own has one that follows from the workspace's credits. */
  daily_credit_cap: z.number().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Tenant = z.infer<typeof Tenant>

/** The theme with its texts in one language. */
const WidgetTheme = Theme.extend({
  page: PageRules.extend({
    invitation: z
      .object({
        text: z.string(),
        after_seconds: z.int().optional(),
        on_exit: z.boolean().optional(),
      })
      .optional(),
  }).optional(),
})

/** The public part of a tenant, which the widget reads before the first message. Cacheable. */
export const WidgetConfig = z.object({
  tenant_id: z.string(),
  name: z.string(),
  locale: z.string(),
  theme: WidgetTheme,
  greeting: z.string(),
  quick_replies: z.array(z.string()),
  forms: z.object({
    lead: z.object({
      enabled: z.boolean(),
      consent_text: z.string(),
      verify_email: z.boolean(),
      required: z.array(ContactPart),
    }),
    appointment: z.object({ enabled: z.boolean(), services: z.array(Service) }),
  }),
  office_hours: OfficeHours,
  time_zone: z.string(),
  handoff: z.enum(['auto', 'offer', 'off']),
  privacy: z.object({ consent_required: z.boolean(), policy_url: z.string().optional() }),
  attachments: z.boolean(),
  active: z.boolean(),
})
export type WidgetConfig = z.infer<typeof WidgetConfig>

/** Where the tag of a site was seen. */
export const Installation = z.object({
  seen: z.boolean().describe('Whether a page with the tag was ever opened'),
  first_seen_at: IsoTime.nullable(),
  last_seen_at: IsoTime.nullable().describe('To the minute'),
  origins: z
    .array(z.object({ origin: z.string(), first_seen_at: IsoTime, last_seen_at: IsoTime }))
    .describe('Up to 50, the most recently seen first. Browsers report them, and anybody can'),
})
export type Installation = z.infer<typeof Installation>
