import { useComputed, useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { InboxSession } from '../../../../server/inbox/schema.ts'
import { useApp } from '../../../app/app-context.ts'
import type { Words } from '../../../locales/en/inbox.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { Failure, Skeleton } from '../../../ui/page.tsx'
import { AssignDialog } from './assign-dialog.tsx'
import { Composer, type Mode } from './composer.tsx'
import { MessageLog } from './message-log.tsx'
import { nameOf } from '../people.ts'
import { createThreadActions, snoozeTimes } from './thread-actions.ts'
import { ThreadHead } from './thread-head.tsx'
import { createThread, type ThreadHead as Head } from './thread.ts'
import { VisitorCard } from '../visitor-card.tsx'

/** Keyboard commands on the open conversation. */
export type ThreadCommand = 'reply' | 'note' | 'claim' | 'assign' | 'snooze' | 'close'

interface Props {
  id: string
  words: Words
  search: string
  onChange: (row: InboxSession) => void
  onBack: () => void
  onCommands: (run: ((command: ThreadCommand) => void) | undefined) => void
}

/** The middle and the right column: a conversation and its visitor. */
export function ThreadPane({ id, words, search, onChange, onBack, onCommands }: Props): VNode {
  const app = useApp()
  const thread = useMemo(() => createThread(app, id, onChange), [])
  const actions = useMemo(() => createThreadActions(app, thread, words), [])
  const mode = useSignal<Mode>('reply')
  const isAssigning = useSignal(false)
  const hasDetails = useSignal(false)
  const input = useRef<HTMLTextAreaElement>(null)
  const unread = useComputed(() => thread.head.value?.unread ?? 0)
  const head = thread.head.value

  useEffect(() => {
    const unfollow = thread.follow()
    void thread.load()
    onCommands((command) => {
      if (command === 'reply' || command === 'note') {
        mode.value = command
        input.current?.focus()
      } else if (command === 'assign') isAssigning.value = true
      else if (command === 'snooze') void actions.snooze(snoozeTimes().tomorrow)
      else void actions[command]()
    })
    return () => {
      unfollow()
      onCommands(undefined)
    }
  }, [])

  useEffect(() => {
    const mark = (): void => {
      if (unread.value > 0 && document.hasFocus()) void thread.markRead().catch(() => undefined)
    }
    mark()
    addEventListener('focus', mark)
    return () => removeEventListener('focus', mark)
  }, [unread.value])

  if (!head) {
    return (
      <section class="thread" aria-label={words.thread}>
        {thread.error.value === undefined ? (
          <Skeleton lines={8} />
        ) : (
          <>
            <span class="to-list">
              <Button kind="plain" small icon="left" onPress={onBack}>
                {words.back}
              </Button>
            </span>
            <Failure error={thread.error.value} retry={thread.load} />
          </>
        )}
      </section>
    )
  }
  const name = nameOf(head, words)
  const me = app.session.me.value?.user
  const isTaken = head.state === 'operator' && head.assignee?.user_id !== me?.id
  const { colleague } = thread
  return (
    <div class={hasDetails.value ? 'thread-frame details' : 'thread-frame'}>
      <section class="thread" aria-label={words.thread}>
        <ThreadHead
          head={head}
          name={name}
          words={words}
          actions={actions}
          onBack={onBack}
          onAssign={() => (isAssigning.value = true)}
          onDetails={() => (hasDetails.value = !hasDetails.value)}
        />
        <MessageLog thread={thread} head={head} visitor={name} words={words} />
        <p class="colleague small" role="status">
          {colleague.value !== undefined && words.colleagueTyping(colleague.value || words.team)}
        </p>
        <Holder
          head={head}
          isTaken={isTaken}
          words={words}
          onClaim={actions.claim}
          onTakeOver={() =>
            me ? actions.assign({ user_id: me.id, name: me.name }) : Promise.resolve()
          }
          onReopen={actions.reopen}
        />
        {head.state !== 'closed' && (
          <Composer
            thread={thread}
            head={head}
            mode={mode}
            isTaken={isTaken}
            words={words}
            input={input}
          />
        )}
      </section>
      <VisitorCard
        thread={thread}
        head={head}
        name={name}
        words={words}
        search={search}
        onBack={() => (hasDetails.value = false)}
      />
      {isAssigning.value && (
        <AssignDialog
          head={head}
          words={words}
          onPick={(person) => {
            isAssigning.value = false
            void actions.assign(person)
          }}
          onClose={() => (isAssigning.value = false)}
        />
      )}
    </div>
  )
}

/** Says who has the conversation, where that is not the reader, and offers the next step. */
function Holder({
  head,
  isTaken,
  words,
  onClaim,
  onTakeOver,
  onReopen,
}: {
  head: Head
  isTaken: boolean
  words: Words
  onClaim: () => Promise<void>
  onTakeOver: () => Promise<void>
  onReopen: () => Promise<void>
}): VNode | null {
  const { session } = useApp()
  const isAsking = useSignal(false)
  const holder = head.assignee?.name || words.team
  if (head.state === 'closed') {
    return (
      <div class="holder">
        <span class="grow">{words.closedHint}</span>
        <Button small kind="primary" onPress={onReopen}>
          {words.reopen}
        </Button>
      </div>
    )
  }
  if (head.state === 'waiting') {
    return (
      <div class="holder waiting">
        <span class="grow">{words.claimHint.waiting}</span>
        <Button small kind="primary" onPress={onClaim}>
          {words.claim}
        </Button>
      </div>
    )
  }
  if (!isTaken) return null
  const mayTake = session.me.value?.user.role !== 'operator'
  return (
    <div class="holder">
      <span class="grow">
        {words.takenBy(holder)} {!mayTake && <span class="soft">{words.onlyHolder}</span>}
      </span>
      {mayTake && (
        <Button small onPress={() => (isAsking.value = true)}>
          {words.takeOver}
        </Button>
      )}
      {isAsking.value && (
        <Confirm
          title={words.takeOverTitle(holder)}
          action={words.takeOver}
          onConfirm={onTakeOver}
          onClose={() => (isAsking.value = false)}
        >
          <p>{words.takeOverText(holder)}</p>
        </Confirm>
      )}
    </div>
  )
}
