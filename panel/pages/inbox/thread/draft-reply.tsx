import { useSignal, type ReadonlySignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Draft } from '../../../../server/inbox/schema.ts'
import { useApp } from '../../../app/app-context.ts'
import type { Words } from '../../../locales/en/inbox.ts'
import { Button } from '../../../ui/button.tsx'
import { Markdown } from '../../../ui/markdown.tsx'
import { Sources } from './message.tsx'

interface DraftReply {
  readonly value: ReadonlySignal<Draft | undefined>
  readonly isBusy: ReadonlySignal<boolean>
  ask(): Promise<void>
  dismiss(): void
}

/** Asks for a reply from the site's documents; it costs credits and sends nothing. */
export function useDraftReply(sessionId: string, words: Words): DraftReply {
  const { api, session, toasts, explain } = useApp()
  const value = useSignal<Draft | undefined>(undefined)
  const isBusy = useSignal(false)
  return {
    value,
    isBusy,
    async ask() {
      if (isBusy.value) return
      isBusy.value = true
      try {
        const draft = await api.post<Draft>(`inbox/${encodeURIComponent(sessionId)}/draft`)
        if (draft.content === '') toasts.done(words.noDraft)
        else value.value = draft
        void session.refresh()
      } catch (error) {
        toasts.failed(explain(error))
      } finally {
        isBusy.value = false
      }
    },
    dismiss() {
      value.value = undefined
    },
  }
}

/** A draft, recognizable as one, with its sources and its price. */
export function DraftCard({
  draft,
  words,
  onUse,
  onDismiss,
}: {
  draft: Draft
  words: Words
  onUse: (content: string) => void
  onDismiss: () => void
}): VNode {
  const { format } = useApp()
  return (
    <section class="draft-card" aria-label={words.draftTitle}>
      <header class="row between">
        <b>{words.draftTitle}</b>
        <span class="soft small">
          {words.draftCost(draft.credits_used, format.value.number(draft.credits_used))}
        </span>
      </header>
      <div class="text" dir="auto">
        <Markdown text={draft.content} />
      </div>
      {draft.citations.length > 0 && <Sources citations={draft.citations} words={words} />}
      <div class="row">
        <Button small kind="primary" onPress={() => onUse(draft.content)}>
          {words.useDraft}
        </Button>
        <Button small kind="plain" onPress={onDismiss}>
          {words.discard}
        </Button>
      </div>
    </section>
  )
}
