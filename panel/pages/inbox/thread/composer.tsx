import { useSignal, type Signal } from '@preact/signals'
import type { RefObject, VNode } from 'preact'
import { useId } from 'preact/hooks'
import type { CannedReply } from '../../../../server/inbox/schema.ts'
import { ApiError } from '../../../app/api/api.ts'
import { useApp } from '../../../app/app-context.ts'
import { useStoredText } from '../../../app/stored-draft.ts'
import type { Words } from '../../../locales/en/inbox.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { AttachButton } from './attach-button.tsx'
import { CannedDialog, CannedList, matchingReplies, useCannedReplies } from './canned-replies.tsx'
import { DraftCard, useDraftReply } from './draft-reply.tsx'
import type { Thread, ThreadHead } from './thread.ts'

const MAX_LENGTH = 4_000
export type Mode = 'reply' | 'note'

interface Props {
  thread: Thread
  head: ThreadHead
  mode: Signal<Mode>
  /** Whether another operator has the conversation: notes only. */
  isTaken: boolean
  words: Words
  input: RefObject<HTMLTextAreaElement | null>
}

/** Writes replies and notes. */
export function Composer({ thread, head, mode, isTaken, words, input }: Props): VNode {
  const { sites, toasts, explain } = useApp()
  const id = useId()
  const reply = useStoredText(`reply ${thread.id}`)
  const note = useStoredText(`note ${thread.id}`)
  const active = useSignal(0)
  const isManaging = useSignal(false)
  const hasDismissed = useSignal(false)
  const asks = useSignal<string | undefined>(undefined)
  const draft = useDraftReply(thread.id, words)
  const isNote = mode.value === 'note' || isTaken
  const text = isNote ? note : reply
  const isPicking = !isNote && /^\/[^\n]*$/.test(text.value) && !hasDismissed.value
  const replies = useCannedReplies(isPicking || isManaging.value)
  const matches = isPicking
    ? matchingReplies(replies.value.value?.data ?? [], text.value.slice(1)).slice(0, 8)
    : []

  async function send(): Promise<void> {
    const written = text.value.trim()
    if (written === '') return
    if (!isNote && thread.colleague.value !== undefined && asks.value === undefined) {
      asks.value = thread.colleague.value || words.team
      return
    }
    text.value = ''
    draft.dismiss()
    try {
      await (isNote ? thread.addNote(written) : thread.send(written))
    } catch (error) {
      if (isNote) {
        text.value = written
        toasts.failed(explain(error))
      } else if (error instanceof ApiError && error.status === 409) {
        for (const { key, hasFailed } of thread.pending.value) if (hasFailed) thread.drop(key)
        reply.value = written
        toasts.failed(words.changed)
      }
    }
    input.current?.focus()
  }

  function pick(canned: CannedReply): void {
    text.value = canned.text
    input.current?.focus()
  }

  /** Handles a key of the open list; returns whether it was one. */
  function pressInList({ key }: KeyboardEvent): boolean {
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    const chosen = matches[active.value]
    if (key === 'Escape') hasDismissed.value = true
    else if (!chosen) return false
    else if (step !== undefined) {
      active.value = (active.value + step + matches.length) % matches.length
    } else if (key === 'Enter' || key === 'Tab') pick(chosen)
    else return false
    return true
  }

  function press(event: KeyboardEvent): void {
    if (event.isComposing) return
    if (isPicking && pressInList(event)) {
      event.preventDefault()
      event.stopPropagation()
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      void send()
    } else if (event.key === 'Escape') input.current?.blur()
  }

  const { state } = head
  const site = sites.value?.find(({ tenant_id: each }) => each === head.tenant_id)
  const takesFiles = site?.attachments ?? false
  return (
    <div class={isNote ? 'composer as-note' : 'composer'}>
      {draft.value.value && (
        <DraftCard
          draft={draft.value.value}
          words={words}
          onDismiss={draft.dismiss}
          onUse={(content) => {
            mode.value = 'reply'
            reply.value = content
            draft.dismiss()
            input.current?.focus()
          }}
        />
      )}
      {isPicking && (
        <CannedList
          id={id}
          replies={matches}
          active={active.value}
          words={words}
          onPick={pick}
          onManage={() => (isManaging.value = true)}
        />
      )}
      {!isTaken && (
        <div class="modes" role="group">
          {(['reply', 'note'] as const).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={mode.value === each}
              onClick={() => {
                mode.value = each
                input.current?.focus()
              }}
            >
              {words[each]}
            </button>
          ))}
          {!isNote && state === 'bot' && <span class="soft small">{words.claimHint.bot}</span>}
        </div>
      )}
      <textarea
        ref={input}
        rows={2}
        dir="auto"
        maxLength={MAX_LENGTH}
        value={text.value}
        aria-label={isNote ? words.writeNote : words.reply}
        placeholder={isNote ? words.writeNote : words.writeReply}
        aria-describedby={`${id}-hint`}
        aria-controls={isPicking ? id : undefined}
        aria-activedescendant={matches.length > 0 ? `${id}-${active.value}` : undefined}
        onInput={(event) => {
          text.value = event.currentTarget.value
          active.value = 0
          if (text.value === '') hasDismissed.value = false
          if (!isNote && state !== 'bot') thread.setTyping(text.value.trim() !== '')
        }}
        onKeyDown={press}
      />
      <div class="row between">
        <span class="row tight">
          {!isNote && (
            <>
              <Button
                small
                kind="plain"
                icon="prompt"
                onPress={draft.ask}
                disabled={draft.isBusy.value}
              >
                {draft.isBusy.value ? words.drafting : words.draft}
              </Button>
              <Button
                small
                kind="plain"
                icon="book"
                label={words.canned}
                onPress={() => (isManaging.value = true)}
              />
              {takesFiles && <AttachButton words={words} onFile={thread.attach} />}
            </>
          )}
        </span>
        <span class="row">
          <span id={`${id}-hint`} class="soft small send-hint">
            {words.sendHint}
          </span>
          <Button small kind="primary" onPress={send} disabled={text.value.trim() === ''}>
            {isNote ? words.addNote : words.send}
          </Button>
        </span>
      </div>
      {isManaging.value && (
        <CannedDialog
          replies={replies}
          draft={isPicking ? '' : reply.value}
          words={words}
          onClose={() => (isManaging.value = false)}
        />
      )}
      {asks.value !== undefined && (
        <Confirm
          title={words.sendOver(asks.value)}
          action={words.send}
          onConfirm={send}
          onClose={() => (asks.value = undefined)}
        >
          <p>{words.sendOverText}</p>
        </Confirm>
      )}
    </div>
  )
}
