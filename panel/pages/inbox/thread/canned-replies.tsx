import { useSignal, type Signal } from '@preact/signals'
import type { VNode } from 'preact'
import type { CannedReply } from '../../../../server/inbox/schema.ts'
import type { Page } from '../../../app/api/api.ts'
import { useApp } from '../../../app/app-context.ts'
import { useResource, type Resource } from '../../../app/api/resource.ts'
import type { Words } from '../../../locales/en/inbox.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { AreaField, TextField } from '../../../ui/field.tsx'
import { Form, useForm } from '../../../ui/form.tsx'
import { Loaded } from '../../../ui/page.tsx'

/** The workspace's saved replies; they are loaded once they are wanted. */
export function useCannedReplies(isWanted: boolean): Resource<Page<CannedReply>> {
  const { api } = useApp()
  return useResource<Page<CannedReply>>(isWanted ? 'canned' : '', (signal) =>
    api.get('canned-replies', { limit: 100 }, signal),
  )
}

/** Returns the replies whose name or text has the typed words. */
export function matchingReplies(replies: readonly CannedReply[], typed: string): CannedReply[] {
  const wanted = typed.toLocaleLowerCase()
  return replies.filter(({ title, text }) =>
    `${title} ${text}`.toLocaleLowerCase().includes(wanted),
  )
}

/** The list that "/" opens above the composer. The composer handles the keys. */
export function CannedList({
  id,
  replies,
  active,
  words,
  onPick,
  onManage,
}: {
  id: string
  replies: readonly CannedReply[]
  active: number
  words: Words
  onPick: (reply: CannedReply) => void
  onManage: () => void
}): VNode {
  return (
    <div class="canned">
      {/* The composer keeps the focus and chooses by its keys. */}
      <div id={id} role="listbox" aria-label={words.canned}>
        {replies.map((reply, at) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={reply.canned_reply_id}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(reply)}
          >
            <b>{reply.title}</b>
            <span class="soft ellipsis">{reply.text}</span>
          </div>
        ))}
      </div>
      {replies.length === 0 && <p class="soft small">{words.cannedNone}</p>}
      <Button small kind="plain" icon="edit" onPress={onManage}>
        {words.manageCanned}
      </Button>
    </div>
  )
}

/** Adds, changes and removes saved replies. `draft` is the text that was just written. */
export function CannedDialog({
  replies,
  draft,
  words,
  onClose,
}: {
  replies: Resource<Page<CannedReply>>
  draft: string
  words: Words
  onClose: () => void
}): VNode {
  const { api, toasts, words: common, explain } = useApp()
  const edited = useSignal<CannedReply | 'new' | undefined>(undefined)

  async function remove(reply: CannedReply): Promise<void> {
    try {
      await api.delete(`canned-replies/${reply.canned_reply_id}`)
      toasts.done(words.cannedRemoved(reply.title), () => {
        const { title, text } = reply
        void api.post('canned-replies', { title, text }).then(replies.reload)
      })
      await replies.reload()
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  return (
    <Dialog title={words.canned} onClose={onClose}>
      {edited.value === undefined ? (
        <div class="stack">
          <Loaded of={replies}>
            {({ data }) =>
              data.length === 0 ? (
                <p class="soft">{words.cannedEmpty}</p>
              ) : (
                <ul class="canned-all">
                  {data.map((reply) => (
                    <li key={reply.canned_reply_id} class="row">
                      <span class="grow">
                        <b>{reply.title}</b>
                        <span class="soft clamp">{reply.text}</span>
                      </span>
                      <Button
                        small
                        kind="plain"
                        icon="edit"
                        label={`${common.value.edit}: ${reply.title}`}
                        onPress={() => (edited.value = reply)}
                      />
                      <Button
                        small
                        kind="plain"
                        icon="trash"
                        label={`${common.value.delete}: ${reply.title}`}
                        onPress={() => remove(reply)}
                      />
                    </li>
                  ))}
                </ul>
              )
            }
          </Loaded>
          <div>
            <Button icon="plus" kind="primary" onPress={() => (edited.value = 'new')}>
              {words.newCanned}
            </Button>
          </div>
        </div>
      ) : (
        <CannedForm
          edited={edited}
          draft={draft}
          words={words}
          onSaved={() => {
            edited.value = undefined
            void replies.reload()
          }}
        />
      )}
    </Dialog>
  )
}

function CannedForm({
  edited,
  draft,
  words,
  onSaved,
}: {
  edited: Signal<CannedReply | 'new' | undefined>
  draft: string
  words: Words
  onSaved: () => void
}): VNode {
  const { api, words: common } = useApp()
  const form = useForm()
  const old = edited.value === 'new' ? undefined : edited.value
  const title = useSignal(old?.title ?? '')
  const text = useSignal(old?.text ?? draft)
  return (
    <Form
      form={form}
      action={common.value.save}
      send={() => {
        const body = { title: title.value, text: text.value }
        return old
          ? api.patch(`canned-replies/${old.canned_reply_id}`, body)
          : api.post('canned-replies', body)
      }}
      done={onSaved}
      extra={<Button onPress={() => (edited.value = undefined)}>{common.value.cancel}</Button>}
    >
      <TextField
        label={words.cannedTitle}
        value={title}
        maxLength={80}
        error={form.errorOf('/title')}
      />
      <AreaField label={words.cannedText} value={text} rows={5} error={form.errorOf('/text')} />
    </Form>
  )
}
