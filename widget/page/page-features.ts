import { reportPerformance } from './performance-report.ts'
import { showInvitation } from './invitation.ts'
import { isVisibleOn } from './visibility-rules.ts'
import type { Place } from '../host/embed.ts'

/** Polling, because not every browser has an event for an address that changes without a load. */
const CHECK_INTERVAL_MS = 500

/** Applies the tenant's page settings: visibility rules, invitation and performance report. */
export function start(place: Place): void {
  const { host } = place
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
