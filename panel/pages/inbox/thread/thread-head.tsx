import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useApp } from '../../../app/app-context.ts'
import type { Words } from '../../../locales/en/inbox.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { StateBadge } from '../list/conversation-row.tsx'
import { isSnoozed } from '../list/filter.ts'
import { snoozeTimes, type ThreadActions } from './thread-actions.ts'
import type { ThreadHead as Head } from './thread.ts'

const SNOOZES = ['hour', 'later', 'tomorrow', 'week'] as const

/** The name, the state and the actions above a thread. */
export function ThreadHead({
  head,
  name,
  words,
  actions,
  onBack,
  onAssign,
  onDetails,
}: {
  head: Head
  name: string
  words: Words
  actions: ThreadActions
  onBack: () => void
  onAssign: () => void
  onDetails: () => void
}): VNode {
  const { format, session } = useApp()
  const isErasing = useSignal(false)
  const role = session.me.value?.user.role
  const isClosed = head.state === 'closed'
  const snoozedUntil = head.snoozed_until
  const more: MenuItem[] = [
    ...(head.state === 'operator' || head.state === 'waiting'
      ? [{ label: words.toBot, onPick: () => actions.release('bot') }]
      : []),
    ...(head.state === 'operator' || head.state === 'bot'
      ? [{ label: words.toQueue, onPick: () => actions.release('waiting') }]
      : []),
    {
      label: words.saveData,
      icon: 'download',
      onPick: () => saveData(head.session_id),
    },
    ...(role === 'operator'
      ? []
      : [
          {
            label: words.erase,
            icon: 'trash' as const,
            danger: true,
            onPick: () => (isErasing.value = true),
          },
        ]),
  ]
  return (
    <header class="thread-head">
      <span class="to-list">
        <Button kind="plain" small icon="left" label={words.back} onPress={onBack} />
      </span>
      <div class="grow">
        <h2 class="ellipsis">{name}</h2>
        <StateBadge row={head} words={words} />
      </div>
      <div class="row tight">
        {!isClosed && (
          <>
            <Button small kind="plain" icon="lead" label={words.assign} onPress={onAssign} />
            <SnoozeMenu words={words} actions={actions} />
            <Button small icon="check" onPress={actions.close}>
              <span class="close-text">{words.close}</span>
            </Button>
          </>
        )}
        <Menu label={words.actions} items={more} />
        <span class="to-details">
          <Button small kind="plain" icon="info" label={words.details} onPress={onDetails} />
        </span>
      </div>
      {snoozedUntil && isSnoozed(head) && (
        <div class="snoozed row between">
          {words.snoozedUntil(format.value.dateTime(snoozedUntil))}
          <Button small onPress={() => actions.snooze(null)}>
            {words.wake}
          </Button>
        </div>
      )}
      {isErasing.value && (
        <Confirm
          title={words.eraseTitle}
          action={words.erase}
          onConfirm={actions.erase}
          onClose={() => (isErasing.value = false)}
        >
          <p>{words.eraseText}</p>
        </Confirm>
      )}
    </header>
  )
}

/** Saves everything that is kept of a conversation as a file. */
function saveData(sessionId: string): void {
  const link = document.createElement('a')
  link.href = `/api/v1/chatbot/sessions/${encodeURIComponent(sessionId)}/export`
  link.download = `${sessionId}.json`
  link.click()
}

function SnoozeMenu({ words, actions }: { words: Words; actions: ThreadActions }): VNode {
  return (
    <Menu
      label={words.snooze}
      icon="clock"
      items={SNOOZES.map((each) => ({
        label: words.snoozeFor[each],
        onPick: () => actions.snooze(snoozeTimes()[each]),
      }))}
    />
  )
}
