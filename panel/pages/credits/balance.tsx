import type { ComponentChildren, VNode } from 'preact'
import type { z } from 'zod'
import type { CreditsAnswer } from '../../../server/credits/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/credits.ts'
import { Card, Loaded } from '../../ui/page.tsx'

type Credits = z.infer<typeof CreditsAnswer>
/** The specification warns from this many credits on. */
const LOW_CREDITS = 100

/**
 * The balance: monthly credits, add-ons, and the holds of running calls. `children` stand below it and
 * appear with it, so that they do not move while somebody presses a button there.
 */
export function Balance({ words, children }: { words: Words; children: ComponentChildren }): VNode {
  const { api } = useApp()
  const credits = useResource<Credits>('credits', (signal) => api.get('credits', {}, signal))
  return (
    <Loaded of={credits} lines={12}>
      {(value) => (
        <div class="stack">
          <BalanceCard credits={value} words={words} />
          {children}
        </div>
      )}
    </Loaded>
  )
}

function BalanceCard({ credits, words }: { credits: Credits; words: Words }): VNode {
  const { format } = useApp()
  const { number, date } = format.value
  const { remaining, held, addons, monthly_limit: limit, reset_at: resetAt } = credits
  const all = Math.max(1, limit + addons)
  const tone = remaining <= 0 ? 'wrong' : remaining <= LOW_CREDITS ? 'warn' : ''
  return (
    <Card>
      <div class="stack">
        <div class="balance">
          <p class="figure">
            <span class="soft small">{words.remaining}</span>
            <b>{number(remaining)}</b>
            <span class="soft small">{words.ofAll(number(all))}</span>
          </p>
          <p class="figure">
            <span class="soft small">{words.addons}</span>
            <b>{number(addons)}</b>
            <span class="soft small">{words.addonsHint}</span>
          </p>
          <p class="figure">
            <span class="soft small">{words.held}</span>
            <b>{number(held)}</b>
            <span class="soft small">{words.heldHint}</span>
          </p>
          <p class="figure">
            <span class="soft small">{words.reset}</span>
            <b>{date(resetAt)}</b>
            <span class="soft small">{words.resetHint(number(limit))}</span>
          </p>
        </div>
        <div class={`progress ${tone}`}>
          <i style={{ width: `${Math.min(100, Math.max(0, (remaining / all) * 100))}%` }} />
        </div>
      </div>
    </Card>
  )
}
