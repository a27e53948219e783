import type { VNode } from 'preact'
import { ApiError } from '../../app/api.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/resource.ts'
import type { Words } from '../../locales/en/account.ts'
import { Switch } from '../../ui/field.tsx'
import { Card, Empty, Loaded } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { FREQUENCIES, NOTICE_KINDS, type Notices } from './shapes.ts'

const PATH = 'account/notifications'

/** What one is told, by mail and on one's devices. A choice takes effect at once. */
export function Notifications({ words }: { words: Words }): VNode {
  const { api, toasts, explain } = useApp()
  const notices = useResource<Notices | null>('notifications', async (signal) => {
    try {
      return await api.get<Notices>(PATH, {}, signal)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }
  })

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
    <Loaded of={notices}>
      {(value) =>
        value === null ? (
          <Empty icon="bell" title={words.noNotifications}>
            {words.noNotificationsText}
          </Empty>
        ) : (
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
        )
      }
    </Loaded>
  )
}
