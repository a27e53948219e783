import type { VNode } from 'preact'
import { useApp } from '../app-context.ts'
import { BASE } from '../router.ts'
import type { Me } from '../api/session.ts'

/** The specification warns from this many credits on. */
const LOW_CREDITS = 100

/** The orange bar of every page while few credits are left; red without any. */
export function CreditBanner({ me }: { me: Me }): VNode | null {
  const { words, format } = useApp()
  const { remaining } = me.credits
  if (remaining > LOW_CREDITS) return null
  return (
    <div class={remaining > 0 ? 'banner' : 'banner wrong'} role="status">
      {remaining > 0
        ? words.value.lowCredits(remaining, format.value.number(remaining))
        : words.value.noCredits}
      {me.user.role !== 'operator' && <a href={`${BASE}/credits`}>{words.value.seeCredits}</a>}
    </div>
  )
}
