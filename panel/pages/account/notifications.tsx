import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { NotificationPreferences as Notices } from '../../../server/notifications/schema.ts'
import { ApiError } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import { endPush, readPushState, startPush, type PushState } from '../../app/alerts/push.ts'
import { useResource } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/account/account.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/field.tsx'
import { Card, Loaded } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'

const NOTICE_KINDS = ['lead', 'handoff', 'waiting', 'credits', 'webhooks'] as const
const FREQUENCIES = ['now', 'digest', 'never'] as const
const PATH = 'account/notifications'

/** Notification preferences, for mail and for devices. A change takes effect at once. */
export function Notifications({ words }: { words: Words }): VNode {
  const { api, toasts, explain } = useApp()
  const notices = useResource<Notices>('notifications', (signal) => api.get(PATH, {}, signal))

  async function save(before: Notices, changed: Notices): Promise<void> {
    notices.set(changed)
    try {
      await api.put(PATH, changed)
    } catch (error) {
      notices.set(before)
      toasts.failed(explain(error))
    }
  }

  return (
    <div class="stack">
      <ThisDevice words={words} />
      <Loaded of={notices}>
        {(value) => (
          <Card flush title={words.notificationsLead}>
            <Table
              label={words.tabs.notifications}
              rows={NOTICE_KINDS}
              rowKey={(kind) => kind}
              columns={[
                { label: '', cell: (kind) => words.kinds[kind] },
                {
                  label: words.byMail,
                  cell: (kind) => (
                    <select
                      class="input"
                      style={{ width: 'auto' }}
                      aria-label={`${words.kinds[kind]}, ${words.byMail}`}
                      value={value.email[kind]}
                      onChange={(event) => {
                        const chosen = FREQUENCIES.find(
                          (each) => each === event.currentTarget.value,
                        )
                        if (!chosen) return
                        void save(value, { ...value, email: { ...value.email, [kind]: chosen } })
                      }}
                    >
                      {FREQUENCIES.map((each) => (
                        <option key={each} value={each}>
                          {words.frequencies[each]}
                        </option>
                      ))}
                    </select>
                  ),
                },
                {
                  label: words.byPush,
                  cell: (kind) => (
                    <Switch
                      label={`${words.kinds[kind]}, ${words.byPush}`}
                      isOn={value.push[kind]}
                      onTurn={(isOn) =>
                        void save(value, { ...value, push: { ...value.push, [kind]: isOn } })
                      }
                    />
                  ),
                },
              ]}
            />
          </Card>
        )}
      </Loaded>
    </div>
  )
}

/** Switches push messages of this browser on and off. */
function ThisDevice({ words }: { words: Words }): VNode {
  const { api, toasts, explain } = useApp()
  const { push } = words
  const state = useSignal<PushState | undefined>(undefined)
  useEffect(() => {
    void readPushState().then((read) => (state.value = read))
  }, [])

  async function turn(isOn: boolean): Promise<void> {
    try {
      if (isOn) state.value = await startPush(api)
      else {
        await endPush(api)
        state.value = 'off'
      }
    } catch (error) {
      // The browser's push service is out of reach, or the API refused.
      toasts.failed(error instanceof ApiError ? explain(error) : push.failed)
      state.value = await readPushState()
    }
  }

  const shown = state.value
  const canTurn = shown === 'on' || shown === 'off'
  return (
    <Card
      title={push.title}
      actions={
        canTurn && (
          <Button small icon="bell" onPress={() => turn(shown === 'off')}>
            {shown === 'on' ? push.turnOff : push.turnOn}
          </Button>
        )
      }
    >
      <p class={shown === 'on' ? undefined : 'soft'}>{push.states[shown ?? 'off']}</p>
    </Card>
  )
}
