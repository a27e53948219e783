import { stayClear } from './page/clear.ts'
import { reportCost } from './page/cost.ts'
import { invite } from './page/invitation.ts'
import { isAllowed } from './page/rules.ts'
import type { Place } from './embed.ts'

/** Not every browser says when the address changes without a load. */
const LOOK_EVERY_MS = 500

/** What only some pages need: keeping out of the way of others, and the tenant's rules for its pages. */
export function start(place: Place): void {
  const { host } = place
  // Once for what lies in the launcher's corner, once for the rules, whichever comes first.
  if (!host.dataset['clear']) stayClear(host)
  host.dataset['clear'] = 'true'
  const rules = place.config?.theme.page
  if (!rules || host.dataset['rules']) return
  host.dataset['rules'] = 'true'
  const ending = new AbortController()
  let wasHere = true
  const follow = (): void => {
    if (!host.isConnected) return ending.abort()
    const isHere = isAllowed(rules, location.pathname)
    if (isHere !== wasHere) place.push([isHere ? 'show' : 'hide'])
    wasHere = isHere
  }
  follow()
  watchPath(follow, ending.signal)
  if (rules.invitation) invite(place, rules.invitation, ending.signal)
  if (rules.report_cost) reportCost(place)
}

/** Calls back when a single-page app has changed its address. */
function watchPath(changed: () => void, ending: AbortSignal): void {
  let path = location.pathname
  const timer = setInterval(() => {
    if (location.pathname === path) return
    path = location.pathname
    changed()
  }, LOOK_EVERY_MS)
  ending.addEventListener('abort', () => clearInterval(timer))
}
