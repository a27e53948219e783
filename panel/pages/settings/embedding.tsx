import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type {
  EmbeddingCheck,
  EmbeddingSettings,
  WorkspaceSettings,
} from '../../../server/workspaces/schema.ts'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/settings.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Badge, Card } from '../../ui/page.tsx'
import { INSTALLATION } from './model-fields.tsx'

const OWN = 'own'

interface Props {
  embedding: EmbeddingSettings | null
  words: Words
  onSaved: (settings: WorkspaceSettings) => void
}

/** The model that finds passages by their meaning, and whether it works. */
export function Embedding({ embedding, words, onSaved }: Props): VNode {
  const { api, toasts, words: common } = useApp()
  const form = useForm()
  const { embeddings } = words
  const source = useSignal(embedding ? OWN : INSTALLATION)
  const address = useSignal(embedding?.base_url ?? '')
  const model = useSignal(embedding?.model ?? '')
  const key = useSignal('')

  async function send(): Promise<void> {
    const own = {
      base_url: address.value.trim(),
      model: model.value.trim(),
      ...(key.value.trim() === '' ? {} : { api_key: key.value.trim() }),
    }
    const saved = await api.patch<WorkspaceSettings>('workspace', {
      embedding: source.value === OWN ? own : null,
    })
    toasts.done(common.value.saved)
    onSaved(saved)
  }

  return (
    <Card title={embeddings.title} actions={<Test words={words} />}>
      <Form form={form} send={send} action={common.value.save}>
        <p class="soft">{embeddings.lead}</p>
        <SelectField
          label={words.provider}
          value={source}
          options={[
            { value: INSTALLATION, label: words.providers[INSTALLATION] },
            { value: OWN, label: embeddings.own },
          ]}
        />
        {source.value === OWN && (
          <>
            <TextField
              label={words.model}
              hint={words.modelHint}
              value={model}
              error={form.errorOf('/embedding/model')}
            />
            <TextField
              label={words.address}
              hint={embeddings.addressHint}
              value={address}
              type="url"
              error={form.errorOf('/embedding/base_url')}
            />
            <TextField
              label={words.apiKey}
              {...(embedding?.has_api_key ? { hint: words.keyKept } : {})}
              value={key}
              type="password"
              autocomplete="off"
              error={form.errorOf('/embedding/api_key')}
            />
          </>
        )}
      </Form>
    </Card>
  )
}

/** Asks the stored model for one vector and shows the outcome beside the button. */
function Test({ words }: { words: Words }): VNode {
  const { api, format, toasts, explain } = useApp()
  const check = useSignal<EmbeddingCheck | undefined>(undefined)

  async function test(): Promise<void> {
    try {
      check.value = await api.post<EmbeddingCheck>('workspace/embedding/test')
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  const { value } = check
  return (
    <>
      <span role="status">
        {value?.model === null && <span class="soft">{words.embeddings.none}</span>}
        {value && value.model !== null && (
          <>
            <Badge tone={value.ok ? 'good' : 'wrong'}>{value.ok ? words.works : words.fails}</Badge>{' '}
            <span class="soft small">
              {value.detail ??
                `${value.model}, ${words.embeddings.dimensions(format.value.number(value.dimensions ?? 0))}`}
            </span>
          </>
        )}
      </span>
      <Button small icon="play" onPress={test}>
        {words.testModel}
      </Button>
    </>
  )
}
