import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import { useStoredText } from '../../app/stored-draft.ts'
import { FileDrop } from '../../knowledge/file-drop.tsx'
import { explainReading } from '../../knowledge/reading-problems.ts'
import type { Words } from '../../locales/en/knowledge.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { AreaField, SelectField, TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'

const WAYS = ['site', 'page', 'files', 'text'] as const
type Way = (typeof WAYS)[number]

interface Props {
  tenantId: string
  words: Words
  onAdded: () => Promise<void>
  onClose: () => void
}

/** Adds a website, a page, files or a text. */
export function AddDocument(props: Props): VNode {
  const { words, tenantId, onAdded, onClose } = props
  const { router } = useApp()
  const title = router.query.value.get('title')
  const way = useSignal<Way>(title === null ? 'site' : 'text')
  return (
    <Dialog title={words.addTitle} onClose={onClose} wide={way.value === 'text'}>
      <div class="stack">
        <div class="row ways" role="group" aria-label={words.addTitle}>
          {WAYS.map((each) => (
            <Button
              key={each}
              small
              kind="plain"
              pressed={each === way.value}
              onPress={() => (way.value = each)}
            >
              {words.ways[each]}
            </Button>
          ))}
        </div>
        {(way.value === 'site' || way.value === 'page') && (
          <FromWeb key={way.value} {...props} kind={way.value === 'site' ? 'sitemap' : 'url'} />
        )}
        {way.value === 'files' && <FileDrop tenantId={tenantId} words={words} onAdded={onAdded} />}
        {way.value === 'text' && <FromText {...props} title={title ?? ''} />}
      </div>
    </Dialog>
  )
}

const NEVER = '0'

function FromWeb({
  tenantId,
  words,
  onAdded,
  onClose,
  kind,
}: Props & { kind: 'url' | 'sitemap' }): VNode {
  const { api } = useApp()
  const form = useForm()
  const address = useSignal('')
  const hours = useSignal('24')

  async function send(): Promise<void> {
    const typed = address.value.trim()
    const url = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`
    await api.post(`tenants/${tenantId}/knowledge`, {
      kind,
      url,
      sync_hours: hours.value === NEVER ? null : Number(hours.value),
    })
    await onAdded()
  }

  return (
    <Form form={form} send={send} done={onClose} action={words.addAction}>
      <TextField
        label={words.address}
        hint={kind === 'sitemap' ? words.siteHint : words.pageHint}
        value={address}
        inputMode="url"
        placeholder="www.example.com"
        error={form.errorOf('/url')}
      />
      <SelectField
        label={words.readEvery}
        value={hours}
        options={[
          { value: '24', label: words.every.day },
          { value: '168', label: words.every.week },
          { value: NEVER, label: words.every.never },
        ]}
      />
    </Form>
  )
}

function FromText({
  tenantId,
  words,
  onAdded,
  onClose,
  title: first,
}: Props & { title: string }): VNode {
  const { api } = useApp()
  const form = useForm((message) => explainReading(message, words.states.problems))
  const title = useSignal(first)
  const content = useStoredText(`new document ${tenantId}`)

  async function send(): Promise<void> {
    const body = { kind: 'markdown', title: title.value, content: content.value }
    await api.post(`tenants/${tenantId}/knowledge`, body)
    content.value = ''
    await onAdded()
  }

  return (
    <Form form={form} send={send} done={onClose} action={words.addAction}>
      <TextField label={words.textTitle} value={title} error={form.errorOf('/title')} />
      <AreaField
        label={words.text}
        hint={words.textHint}
        value={content}
        rows={10}
        dir="auto"
        error={form.errorOf('/content')}
      />
    </Form>
  )
}
