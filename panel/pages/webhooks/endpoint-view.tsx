import { useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField } from '../../ui/field.tsx'
import { Badge, Card, PageHead } from '../../ui/page.tsx'
import { EndpointActions } from './endpoint-actions.tsx'

interface Endpoint {
  url: string
  active: boolean
}

/** One endpoint of either family: its head with actions, its events, its switch and its form. */
export function EndpointView<Value extends Endpoint>({
  value,
  path,
  list,
  title,
  lead,
  badge,
  notice,
  events,
  details,
  form,
  words,
  onChange,
  onTested,
}: {
  value: Value
  /** Of the endpoint in the API. */
  path: string
  /** The page to go to once it is deleted. */
  list: string
  title: string
  lead?: ComponentChildren
  badge: ComponentChildren
  /** Above the events. */
  notice?: ComponentChildren
  /** Each event by the API's name, with the reader's. */
  events: readonly (readonly [name: string, label: string])[]
  /** Below the events. */
  details?: ComponentChildren
  form: (onClose: () => void) => ComponentChildren
  words: Words
  onChange: (value: Value) => void
  onTested: () => void
}): VNode {
  const { api, toasts, explain } = useApp()
  const isEditing = useSignal(false)
  const isActive = useSignal(value.active)

  async function switchTo(active: boolean): Promise<void> {
    onChange({ ...value, active })
    try {
      onChange(await api.patch<Value>(path, { active }))
    } catch (error) {
      onChange(value)
      isActive.value = value.active
      toasts.failed(explain(error))
    }
  }

  return (
    <>
      {/* Beside the buttons the state would push the last one to a line of its own on a phone. */}
      <PageHead
        title={title}
        lead={
          <>
            {badge} {lead}
          </>
        }
      >
        <Button icon="edit" onPress={() => (isEditing.value = true)}>
          {words.edit}
        </Button>
        <EndpointActions
          path={path}
          url={value.url}
          words={words}
          list={list}
          onTested={onTested}
        />
      </PageHead>
      {notice}
      <Card title={words.events}>
        <div class="stack">
          <ul class="events">
            {events.map(([name, label]) => (
              <li key={name}>
                {label}
                <code>{name}</code>
              </li>
            ))}
          </ul>
          {details}
          <CheckField
            look="switch"
            label={words.switchLabel}
            hint={words.switchHint}
            value={isActive}
            onPick={(active) => void switchTo(active)}
          />
        </div>
      </Card>
      {isEditing.value && form(() => (isEditing.value = false))}
    </>
  )
}

/** Whether an endpoint is switched on, in a word. */
export function ActiveBadge({ isActive, words }: { isActive: boolean; words: Words }): VNode {
  if (!isActive) return <Badge>{words.switchedOff}</Badge>
  return <Badge tone="good">{words.works}</Badge>
}
