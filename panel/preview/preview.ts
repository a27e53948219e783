import type { WidgetConfig } from '../../server/tenants/schema.ts'

/**
 * Puts the real widget on this page, as the address says: `tenant`, `theme`, `locale`, `position`. With
 * a `name` and a `logo` it shows those of a site that is not saved yet, in place of the tenant's; without
 * a `tenant` it asks the server for nothing.
 */
const given = new URLSearchParams(location.search)
const scheme = given.get('theme') ?? 'light'
document.documentElement.style.colorScheme = scheme

const color = given.get('color')
if (color !== null) document.documentElement.style.setProperty('--sohbet-color', color)

// The widget opens automatically here, and must not take the focus from the panel's fields.
const { focus } = HTMLTextAreaElement.prototype
HTMLTextAreaElement.prototype.focus = function focusWhenActive(options) {
  if (document.hasFocus()) focus.call(this, options)
}

const name = given.get('name')
const tenant = given.get('tenant')
/** The configuration of a site that was just added, with what the preview adds to it. */
const NEW_SITE = {
  tenant_id: 'preview',
  name: '',
  locale: given.get('locale') ?? 'en',
  theme: {},
  greeting: '',
  quick_replies: [],
  forms: {
    lead: { enabled: true, consent_text: '', verify_email: false, required: ['name', 'email'] },
    appointment: { enabled: false, services: [] },
  },
  office_hours: {},
  time_zone: 'UTC',
  handoff: 'offer',
  privacy: { consent_required: false },
  attachments: false,
  active: true,
} satisfies WidgetConfig

const load = window.fetch
window.fetch = async (address, options) => {
  if (typeof address !== 'string' || !/\/widget\/[^/]+\/config\b/.test(address)) {
    return load(address, options)
  }
  // The browser's cache may hold the configuration from before the last save.
  const response =
    tenant === null ? Response.json(NEW_SITE) : await load(address, { ...options, cache: 'reload' })
  if (name === null || !response.ok) return response
  const config: { theme: object } = await response.json()
  const theme = { ...config.theme, logo_url: given.get('logo') ?? undefined }
  return Response.json({ ...config, name, theme, greeting: '', quick_replies: [] })
}

// Calls that are queued before the widget has loaded.
if (given.has('open')) Object.assign(window, { Sohbet: [['open']] })

const tag = document.createElement('script')
tag.src = '/widget.js'
tag.async = true
tag.dataset.tenant = tenant ?? NEW_SITE.tenant_id
tag.dataset.theme = scheme
for (const option of ['locale', 'position']) {
  const value = given.get(option)
  if (value !== null) tag.dataset[option] = value
}
document.head.append(tag)
