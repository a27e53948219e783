import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { ApiKey } from '../../../server/platform/schema.ts'
import type { WorkspaceSettings } from '../../../server/workspaces/schema.ts'
import { ApiError, type Page } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/credits.ts'
import { TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Card, Loaded } from '../../ui/page.tsx'

/** A longer list is shown as more than this. */
const MAX_COUNTED = 100

/** The plan with what it allows and what is used of it, and the workspace's own warning. */
export function Plan({ words }: { words: Words }): VNode {
  const { api } = useApp()
  const settings = useResource<WorkspaceSettings>('workspace', (signal) =>
    api.get('workspace', {}, signal),
  )
  return (
    <Loaded of={settings}>
      {(value) => (
        <div class="stack">
          <Card title={words.planTitle}>
            <div class="stack">
              <p class="figure">
                <b>{words.plans[value.plan]}</b>
              </p>
              <p class="soft small">{words.planHint}</p>
              <Quotas settings={value} words={words} />
              <Keys words={words} />
            </div>
          </Card>
          <Card title={words.warningTitle}>
            <Warning settings={value} words={words} onSaved={settings.set} />
          </Card>
        </div>
      )}
    </Loaded>
  )
}

function Quotas({ settings, words }: { settings: WorkspaceSettings; words: Words }): VNode {
  const { format } = useApp()
  const { number, bytes } = format.value
  return (
    <ul class="stack">
      {settings.quotas.map(({ name, used, allowed }) => {
        const shown = name === 'stored_bytes' ? bytes : number
        const share = Math.min(100, (used / Math.max(1, allowed)) * 100)
        return (
          <li key={name} class="stack tight">
            <div class="row between">
              <span>{words.quotas[name]}</span>
              <span class="soft number">{`${shown(used)} / ${shown(allowed)}`}</span>
            </div>
            <div class={share >= 90 ? 'progress warn' : 'progress'}>
              <i style={{ width: `${share}%` }} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** How many API keys there are; plans allow any number of them, or none. */
function Keys({ words }: { words: Words }): VNode | null {
  const { api, format } = useApp()
  const keys = useResource<Page<ApiKey>>('keys', (signal) =>
    api.get('api-keys', { limit: MAX_COUNTED }, signal),
  )
  const { value: error } = keys.error
  const page = keys.value.value
  const isAllowed = !(error instanceof ApiError && error.code === 'not_in_plan')
  if (page === undefined && isAllowed) return null
  const count = page?.data.length ?? 0
  const shown = format.value.number(count) + (page?.next_cursor ? '+' : '')
  return (
    <div class="row between">
      <a href={`${BASE}/developers`}>{words.keys}</a>
      <span class="soft number">{isAllowed ? words.keysUsed(shown) : words.noKeys}</span>
    </div>
  )
}

function Warning({
  settings,
  words,
  onSaved,
}: {
  settings: WorkspaceSettings
  words: Words
  onSaved: (settings: WorkspaceSettings) => void
}): VNode {
  const { api, toasts, words: common } = useApp()
  const form = useForm()
  const threshold = useSignal(settings.credit_warning?.toString() ?? '')

  async function send(): Promise<void> {
    const typed = threshold.value.trim()
    const body = { credit_warning: typed === '' ? null : Number(typed) }
    onSaved(await api.patch<WorkspaceSettings>('workspace', body))
    toasts.done(common.value.saved)
  }

  return (
    <Form form={form} send={send} action={common.value.save}>
      <TextField
        label={words.warning}
        hint={words.warningHint}
        value={threshold}
        type="number"
        min={1}
        step={1}
        error={form.errorOf('/credit_warning')}
      />
    </Form>
  )
}
