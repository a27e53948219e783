import type { VNode } from 'preact'
import './embed.css'

/**
 * The real widget of a site on an empty page, or of a site that does not exist yet. `version` draws it again after a change was saved; a
 * `name` and a `logo` are shown in place of the site's.
 */
export function WidgetPreview({
  tenantId,
  title,
  theme = 'light',
  size = 'desktop',
  locale,
  color,
  name,
  logo,
  version = 0,
}: {
  tenantId?: string | undefined
  title: string
  theme?: 'light' | 'dark'
  size?: 'desktop' | 'phone'
  locale?: string
  color?: string | undefined
  name?: string | undefined
  logo?: string | undefined
  version?: number
}): VNode {
  const query = new URLSearchParams({ theme, open: '1', v: String(version) })
  for (const [key, value] of Object.entries({ tenant: tenantId, locale, color, name, logo })) {
    if (value) query.set(key, value)
  }
  const address = `/panel/preview?${query.toString()}`
  return (
    <div class={`preview ${size}`}>
      {/* Our own page, which has to read its storage as on every site: a sandbox would be none. */}
      {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
      <iframe key={address} src={address} title={title} />
    </div>
  )
}
