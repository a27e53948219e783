import { reportPerformance } from './performance-report.ts'
import { showInvitation } from './invitation.ts'
import { isVisibleOn } from './visibility-rules.ts'
import type { Answer, Embed, Place } from '../host/embed.ts'

/** Polling, because not every browser has an event for an address that changes without a load. */
const CHECK_INTERVAL_MS = 500

/**
 * Applies the tenant's page settings: visibility rules, invitation and performance report. Without
 * this tenant it removes the widget.
 */
export function start(place: Place, answer: Answer): void {
  const { host } = place
  if (!answer.active) return removeWidget(place, answer)
  const rules = place.config?.theme.page
  // Where storage is blocked, the loader asks for the settings once more when it is opened.
  if (!rules || place.isFollowed) return
  place.isFollowed = true
  const ending = new AbortController()
  const isHidden = host.shadowRoot?.querySelector('button')?.style.display === 'none'
  // A page may hide the launcher from the start, for `show_on` to decide without a flash.
  let wasHere = !(isHidden && rules.show_on)
  const follow = (): void => {
    if (!host.isConnected) return ending.abort()
    const isHere = isVisibleOn(rules, location.pathname)
    if (isHere !== wasHere) place.push([isHere ? 'show' : 'hide'])
    wasHere = isHere
  }
  follow()
  watchPath(follow, ending.signal)
  if (rules.invitation) showInvitation(place, rules.invitation, ending.signal)
  if (rules.report_cost) reportPerformance(place)
}

/** Takes the widget of no tenant, or of one that is switched off, out of the page. */
function removeWidget({ tenant, base, push }: Place, { status = 200 }: Answer): void {
  if (status >= 500) return
  const isKnown = status === 200
  console.error(
    isKnown
      ? `Sohbet: the tenant "${tenant}" is switched off.`
      : `Sohbet: there is no tenant "${tenant}" at ${base}. Check data-tenant.`,
  )
  push(['destroy'])
}

/** Says in the console why a page cannot read the settings, where that is the page's origin. */
export async function explainOrigin({
  tenant,
  base,
}: Pick<Embed, 'tenant' | 'base'>): Promise<void> {
  if (location.origin === 'null')
    return console.error(
      'Sohbet: a page without an origin cannot use the chat. Serve files over http, and give sandboxed frames "allow-same-origin".',
    )
  const reach = (path: string): Promise<unknown> => fetch(base + path).catch(() => undefined)
  const canRead = await reach(`/api/v1/widget/${tenant}/config`)
  // The script may be read from anywhere.
  const isThere = await reach('/widget.js')
  if (isThere && !canRead)
    console.error(
      `Sohbet: the tenant "${tenant}" does not allow pages of ${location.origin}. Add it to allowed_origins.`,
    )
}

/** Calls back when a single-page app has changed its address. */
function watchPath(changed: () => void, ending: AbortSignal): void {
  let path = location.pathname
  const timer = setInterval(() => {
    if (location.pathname === path) return
    path = location.pathname
    changed()
  }, CHECK_INTERVAL_MS)
  ending.addEventListener('abort', () => clearInterval(timer))
}
