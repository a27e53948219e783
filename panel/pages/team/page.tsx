import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Member } from '../../../server/platform/schema.ts'
import type { MemberPresence } from '../../../server/presence/schema.ts'
import { useApp } from '../../app/app-context.ts'
import type { PageProps, Role } from '../../app/pages.ts'
import { useList, useResource } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/team.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Ago, Avatar, Badge, Card, Empty, PageHead } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'
import { Invite } from './invite.tsx'
import { RoleChoice } from './role-choice.tsx'
import './team.css'

/** The people of the workspace: roles, invitations, and who is there. */
export function Page({ words }: PageProps<Words>): VNode {
  const { api, session, toasts, explain, words: common, router } = useApp()
  const isInviting = useSignal(router.query.value.has('invite'))
  const leaving = useSignal<Member | undefined>(undefined)
  const me = session.me.value?.user
  const list = useList<Member>('members', (cursor, signal) =>
    api.get('members', { cursor, limit: 50 }, signal),
  )
  const presence = useResource<MemberPresence[]>('presence', async (signal) => {
    const answer = await api
      .get<{ data: MemberPresence[] }>('presence', {}, signal)
      .catch(() => undefined)
    return answer?.data ?? []
  })

  async function changeRole(row: Member, role: Role): Promise<void> {
    const show = (shown: Role): void =>
      list.change((rows) =>
        rows.map((each) => (each.id === row.id ? { ...each, role: shown } : each)),
      )
    show(role)
    try {
      await api.patch(`members/${row.id}`, { role })
      toasts.done(words.roleChanged(nameOf(row), common.value.roles[role]), () => {
        void changeRole({ ...row, role }, row.role)
      })
    } catch (error) {
      show(row.role)
      toasts.failed(explain(error))
    }
  }

  async function resend({ email, role, name }: Member): Promise<void> {
    try {
      await api.post('members', { email, role, ...(name === '' ? {} : { name }) })
      toasts.done(words.invited(email))
      await list.reload()
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  /** An invitation comes back by sending it again, so withdrawing one needs no question. */
  async function withdraw(row: Member): Promise<void> {
    list.change((rows) => rows.filter(({ id }) => id !== row.id))
    try {
      await api.delete(`members/${row.id}`)
      toasts.done(words.withdrawn(row.email), () => void resend(row))
    } catch (error) {
      toasts.failed(explain(error))
      await list.reload()
    }
  }

  async function remove(row: Member): Promise<void> {
    await api.delete(`members/${row.id}`)
    list.change((rows) => rows.filter(({ id }) => id !== row.id))
    toasts.done(words.removed(nameOf(row)))
  }

  const mayManage = (row: Member): boolean =>
    row.id !== me?.id && (me?.role === 'owner' || row.role !== 'owner')
  const stateOf = (row: Member): VNode => {
    if (row.state !== 'active') return <InvitationState row={row} words={words} />
    const there = presence.value.value?.find(({ user_id: id }) => id === row.id)
    if (!there) return <>{words.active}</>
    const tone = { online: 'good', away: 'warn', off: '' }[there.state]
    return (
      <span class="row">
        <span class={`dot ${tone}`} />
        {words.presence[there.state]}
      </span>
    )
  }

  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <Button icon="clock" href={`${BASE}/appointments/hours`}>
          {words.hours}
        </Button>
        <Button kind="primary" icon="plus" onPress={() => (isInviting.value = true)}>
          {words.invite}
        </Button>
      </PageHead>
      <Card flush>
        <ListTable
          list={list}
          label={words.members}
          rowKey={(row) => row.id}
          empty={<Empty icon="team" title={words.alone} />}
          columns={[
            {
              label: words.columns.person,
              cell: (row) => (
                <span class="member">
                  <Avatar name={nameOf(row)} />
                  <span>
                    {nameOf(row)} {row.id === me?.id && <Badge>{words.you}</Badge>}
                    {row.name !== '' && (
                      <>
                        <br />
                        <span class="soft small">{row.email}</span>
                      </>
                    )}
                  </span>
                </span>
              ),
            },
            {
              label: words.columns.role,
              cell: (row) =>
                mayManage(row) ? (
                  <RoleChoice
                    label={words.roleOf(nameOf(row))}
                    role={row.role}
                    withOwner={me?.role === 'owner'}
                    onPick={(role) => void changeRole(row, role)}
                  />
                ) : (
                  common.value.roles[row.role]
                ),
            },
            { label: words.columns.state, cell: stateOf },
            { label: words.columns.since, cell: (row) => <Ago at={row.created_at} /> },
            {
              label: '',
              end: true,
              cell: (row) =>
                mayManage(row) && (
                  <Menu
                    label={words.actionsOf(nameOf(row))}
                    items={
                      row.state === 'active'
                        ? [
                            {
                              label: words.remove,
                              icon: 'trash',
                              danger: true,
                              onPick: () => (leaving.value = row),
                            },
                          ]
                        : [
                            { label: words.resend, icon: 'refresh', onPick: () => resend(row) },
                            {
                              label: words.withdraw,
                              icon: 'trash',
                              danger: true,
                              onPick: () => withdraw(row),
                            },
                          ]
                    }
                  />
                ),
            },
          ]}
        />
        {list.rows.value?.length === 1 && (
          <Empty icon="team" title={words.alone}>
            {words.aloneText}
          </Empty>
        )}
      </Card>
      {isInviting.value && (
        <Invite words={words} onInvited={list.reload} onClose={() => (isInviting.value = false)} />
      )}
      {leaving.value && (
        <Confirm
          title={words.removeTitle(nameOf(leaving.value))}
          action={words.remove}
          onConfirm={async () => leaving.value && remove(leaving.value)}
          onClose={() => (leaving.value = undefined)}
        >
          <p>{words.removeText}</p>
        </Confirm>
      )}
    </>
  )
}

function InvitationState({ row, words }: { row: Member; words: Words }): VNode {
  const { format } = useApp()
  return row.state === 'expired' || row.expires_at === null ? (
    <Badge tone="wrong">{words.expired}</Badge>
  ) : (
    <Badge tone="accent">{words.invitedUntil(format.value.date(row.expires_at))}</Badge>
  )
}

function nameOf({ name, email }: Member): string {
  return name === '' ? email : name
}
