import type { VNode } from 'preact'
import type { PageRules } from '../../../server/tenants/schema.ts'
import { BASE } from '../../app/router.ts'
import { CopyBox } from '../../ui/page.tsx'
import type { PartProps } from './part.ts'
import { PlainArea, PlainCheck } from '../../ui/plain-field.tsx'

const toLines = (list: readonly string[] | undefined): string => (list ?? []).join('\n')
const fromLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** On which pages and websites the chat shows itself. */
export function PageFields({ draft, change, words, errorOf }: PartProps): VNode {
  const page = draft.theme.page ?? {}
  const setPage = (changes: Partial<PageRules>): void =>
    change({ theme: { ...draft.theme, page: { ...page, ...changes } } })

  return (
    <>
      <PlainCheck
        label={words.active}
        hint={words.activeHint}
        value={draft.active}
        onPick={(active) => change({ active })}
      />
      <PlainArea
        label={words.origins}
        hint={words.originsHint}
        value={toLines(draft.allowed_origins)}
        onInput={(text) => change({ allowed_origins: fromLines(text) })}
        error={errorOf('/allowed_origins/0') ?? errorOf('/allowed_origins')}
      />
      <PlainArea
        label={words.showOn}
        hint={words.showOnHint}
        value={toLines(page.show_on)}
        onInput={(text) => setPage({ show_on: fromLines(text) })}
        error={errorOf('/theme/page/show_on')}
      />
      <PlainArea
        label={words.hideOn}
        value={toLines(page.hide_on)}
        onInput={(text) => setPage({ hide_on: fromLines(text) })}
        error={errorOf('/theme/page/hide_on')}
      />
      <PlainCheck
        label={words.assistants}
        hint={words.assistantsHint}
        value={draft.mcp === 'public'}
        onPick={(isPublic) => change({ mcp: isPublic ? 'public' : 'off' })}
      />
      {draft.mcp === 'public' && (
        <CopyBox
          text={`${location.origin}/mcp/${draft.tenant_id}`}
          label={words.assistantsAddress}
        />
      )}
      <p class="soft small">
        {words.channels} <a href={`${BASE}/webhooks/integrations`}>{words.toChannels}</a>
      </p>
    </>
  )
}
