import { destroyWidget } from './widget-api.ts'

/** The attributes of the script tag. */
export interface WidgetTag {
  /** The site's id. */
  tenant: string
  /** The service's origin; the page's own by default. */
  baseUrl?: string | undefined
  theme?: 'light' | 'dark' | 'auto' | undefined
  position?: 'right' | 'left' | undefined
  locale?: string | undefined
  /** For a policy with nonces. */
  nonce?: string | undefined
}

interface Kept {
  script: HTMLScriptElement
  attributes: string
  users: number
}

const kept = new Map<string, Kept>()

/**
 * Keeps a widget on the page; the returned function lets it go. A widget that is wanted again at once, as
 * in strict mode, stays: it goes in the next task only.
 */
export function keepWidget(tag: WidgetTag): () => void {
  const attributes = JSON.stringify(tag)
  const present = kept.get(tag.tenant)
  if (present && present.attributes !== attributes) remove(tag.tenant, present)
  const mine = kept.get(tag.tenant) ?? { script: addScript(tag), attributes, users: 0 }
  kept.set(tag.tenant, mine)
  mine.users += 1
  return () => {
    mine.users -= 1
    setTimeout(() => {
      if (mine.users === 0 && kept.get(tag.tenant) === mine) remove(tag.tenant, mine)
    })
  }
}

function addScript({
  tenant,
  baseUrl = location.origin,
  theme,
  position,
  locale,
  nonce,
}: WidgetTag) {
  const script = document.createElement('script')
  script.src = `${baseUrl.replace(/\/+$/, '')}/widget.js`
  // In the order of insertion, so that a tag with other attributes comes after the one that it replaces.
  script.async = false
  const given = { tenant, theme, position, locale, nonce }
  for (const [name, value] of Object.entries(given)) if (value) script.dataset[name] = value
  if (nonce) script.nonce = nonce
  document.head.append(script)
  return script
}

function remove(tenant: string, { script }: Kept): void {
  kept.delete(tenant)
  script.remove()
  // A script that is on its way runs all the same.
  if (!destroyWidget(tenant)) {
    script.addEventListener('load', () => destroyWidget(tenant), { once: true })
  }
}
