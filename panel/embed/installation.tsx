import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { useApp } from '../app/app-context.ts'
import { useResource } from '../app/api/resource.ts'
import type { EmbedWords } from '../locales/en/parts/embed.ts'
import { Button } from '../ui/button.tsx'
import { CopyBox } from '../ui/page.tsx'
import { PLATFORMS, snippetOf, type Platform, type Side } from './tag.ts'

const ASK_INTERVAL_MS = 3_000
const SIDES = ['right', 'left'] as const satisfies readonly Side[]

/** Where the widget of a site was seen, of `GET /tenants/{tenant_id}/installation`. */
export interface Installation {
  seen: boolean
  first_seen_at: string | null
  last_seen_at: string | null
  origins: { origin: string; first_seen_at: string; last_seen_at: string }[]
}

/** The tag with a tab per platform, a mail for a developer, and the light that turns green. */
export function EmbedGuide({ tenantId, words }: { tenantId: string; words: EmbedWords }): VNode {
  const platform = useSignal<Platform>('html')
  const side = useSignal<Side>('right')
  const snippet = snippetOf(platform.value, tenantId, side.value)
  const mail = `mailto:?subject=${encodeURIComponent(words.mailSubject)}&body=${encodeURIComponent(words.mailText(snippet))}`
  return (
    <div class="stack">
      <div class="tabs" role="group" aria-label={words.where}>
        {PLATFORMS.map((each) => (
          <Button
            key={each}
            kind="plain"
            small
            pressed={each === platform.value}
            onPress={() => (platform.value = each)}
          >
            {words.platforms[each]}
          </Button>
        ))}
      </div>
      <p class="soft">{words.places[platform.value]}</p>
      <div class="row" role="group" aria-label={words.side}>
        <span class="soft">{words.side}</span>
        {SIDES.map((each) => (
          <Button
            key={each}
            kind="plain"
            small
            pressed={each === side.value}
            onPress={() => (side.value = each)}
          >
            {words.sides[each]}
          </Button>
        ))}
      </div>
      <CopyBox text={snippet} label={words.platforms[platform.value]} />
      <div class="row between">
        <SeenLight tenantId={tenantId} words={words} />
        <Button href={mail} icon="send">
          {words.sendToDeveloper}
        </Button>
      </div>
    </div>
  )
}

/** Green once a page with the tag was seen; asks again while it is not. */
export function SeenLight({ tenantId, words }: { tenantId: string; words: EmbedWords }): VNode {
  const { api, format } = useApp()
  const installation = useResource<Installation>(tenantId, (signal) =>
    api.get(`tenants/${tenantId}/installation`, {}, signal),
  )
  const { value } = installation
  // The preview and the demo are pages of the product itself, not of the owner.
  const origins = value.value?.origins.filter(({ origin }) => origin !== location.origin) ?? []
  const newest = origins.toSorted((a, b) => b.last_seen_at.localeCompare(a.last_seen_at))[0]

  useEffect(() => {
    if (newest) return undefined
    const timer = setInterval(() => void installation.reload(), ASK_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [newest === undefined, tenantId])

  return (
    <p class="row seen" role="status">
      <span class={newest ? 'dot good' : 'dot warn'} />
      {newest
        ? words.seenOn(newest.origin, format.value.ago(newest.last_seen_at))
        : words.waitingForPage}
    </p>
  )
}
