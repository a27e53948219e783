import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Action } from '../../../server/actions/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { removeLater } from '../../app/alerts/late-removal.ts'
import { useStoredDraft } from '../../app/stored-draft.ts'
import type { Words } from '../../locales/en/actions.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Switch } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PageHead, Tabs } from '../../ui/page.tsx'
import { ActionForm } from './action-form.tsx'
import { CallLog } from './call-log.tsx'
import { changedHeaders, definitionOf, draftOf, type Draft } from './draft.ts'
import { explainActionField } from './field-problems.ts'
import { withoutSecrets } from './new-action.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { TestCall } from './test-call.tsx'
import { languageOfSite } from './texts.ts'

export type Tab = 'settings' | 'test' | 'calls'

interface ViewProps {
  value: Action
  /** Of the API. */
  path: string
  words: Words
  onChange: (value: Action) => void
}

/** One action: its definition, a test call, and the log of calls. */
export function ActionView({ tab, ...props }: ViewProps & { tab: Tab }): VNode {
  const { value, path, words, onChange } = props
  const app = useApp()
  const { api, router, toasts, explain } = app
  const isRotating = useSignal(false)
  const secret = useSignal('')
  const page = `/actions/${value.action_id}`

  async function turn(active: boolean): Promise<void> {
    onChange({ ...value, active })
    try {
      onChange(await api.patch<Action>(path, { active }))
      toasts.done(words.turned(value.name, active), () => void turn(!active))
    } catch (error) {
      onChange(value)
      toasts.failed(explain(error))
    }
  }

  return (
    <>
      <PageHead title={value.name} lead={value.when}>
        <Switch
          label={words.switchOf(value.name)}
          isOn={value.active}
          onTurn={(active) => void turn(active)}
        />
        <span class="soft">{value.active ? words.isOn : words.isOff}</span>
        <Menu
          label={words.menuOf(value.name)}
          items={[
            { label: words.secret.rotate, icon: 'key', onPick: () => (isRotating.value = true) },
            {
              label: words.remove,
              icon: 'trash',
              danger: true,
              onPick: () => {
                removeLater(app, {
                  path,
                  text: words.removed(value.name),
                  onUndo: () => router.go(page),
                })
                router.go('/actions')
              },
            },
          ]}
        />
      </PageHead>
      <Tabs
        label={value.name}
        current={tab === 'settings' ? page : `${page}/${tab}`}
        items={[
          { path: page, label: words.tabs.settings },
          { path: `${page}/test`, label: words.tabs.test },
          { path: `${page}/calls`, label: words.tabs.calls },
        ]}
      />
      {tab === 'settings' && <Definition key={value.updated_at} {...props} />}
      {tab === 'test' && <TestCall value={value} path={path} words={words} />}
      {tab === 'calls' && <CallLog path={path} words={words} />}
      {isRotating.value && (
        <Confirm
          title={words.secret.rotate}
          action={words.secret.rotateAction}
          onConfirm={async () => {
            const rotated = await api.post<{ secret: string }>(`${path}/rotate-secret`)
            secret.value = rotated.secret
          }}
          onClose={() => (isRotating.value = false)}
        >
          <p>{words.secret.rotateText}</p>
        </Confirm>
      )}
      {secret.value !== '' && (
        <SecretDialog secret={secret.value} words={words} onClose={() => (secret.value = '')} />
      )}
    </>
  )
}

function Definition({ value, path, words, onChange }: ViewProps): VNode {
  const { api, site, toasts, words: common } = useApp()
  const form = useForm((message) => explainActionField(message, words.problems))
  const { draft, isChanged, forget, discard } = useStoredDraft<Draft>(
    value.action_id,
    () => draftOf(value, languageOfSite(site.value?.locale)),
    withoutSecrets,
  )

  async function send(): Promise<void> {
    const headers = changedHeaders(draft.value, value.headers)
    const changed = await api.patch<Action>(path, { ...definitionOf(draft.value), headers })
    forget()
    toasts.done(common.value.saved)
    onChange(changed)
  }

  return (
    <ActionForm
      draft={draft}
      form={form}
      words={words}
      action={common.value.save}
      send={send}
      extra={
        isChanged.value && (
          <>
            <Button onPress={discard}>{words.discard}</Button>
            <span class="soft small">{words.unsaved}</span>
          </>
        )
      }
    />
  )
}
