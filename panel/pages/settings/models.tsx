import { useSignal, type Signal } from '@preact/signals'
import type { VNode } from 'preact'
import type {
  ModelCheck,
  NewModelChoice,
  WorkspaceSettings,
} from '../../../server/workspaces/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Badge, Card, Loaded } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Embedding } from './embedding.tsx'
import { INSTALLATION, ModelFields, toChoice, toDraft, type ModelDraft } from './model-fields.tsx'

const MAX_FALLBACKS = 2

/** Which models write answers and run prompts, and whether they work. */
export function Models({ words }: { words: Words }): VNode {
  const { api } = useApp()
  const settings = useResource<WorkspaceSettings>('workspace', (signal) =>
    api.get('workspace', {}, signal),
  )
  return (
    <Loaded of={settings}>
      {(value) => (
        <div class="settings stack">
          <p class="soft">{words.modelLead}</p>
          <Choices
            key={JSON.stringify([value.model, value.fallback_models])}
            settings={value}
            words={words}
            onSaved={settings.set}
          />
          <Checks words={words} />
          <Embedding
            key={JSON.stringify(value.embedding)}
            embedding={value.embedding}
            words={words}
            onSaved={settings.set}
          />
        </div>
      )}
    </Loaded>
  )
}

function Choices({
  settings,
  words,
  onSaved,
}: {
  settings: WorkspaceSettings
  words: Words
  onSaved: (settings: WorkspaceSettings) => void
}): VNode {
  const { api, toasts, words: common } = useApp()
  const form = useForm()
  const first = useSignal(toDraft(settings.model))
  const others: Signal<ModelDraft[]> = useSignal(settings.fallback_models.map(toDraft))
  const isOwn = first.value.provider !== INSTALLATION

  async function send(): Promise<void> {
    const chosen: NewModelChoice[] = isOwn ? others.value.flatMap(toChoice) : []
    const saved = await api.patch<WorkspaceSettings>('workspace', {
      model: toChoice(first.value)[0] ?? null,
      fallback_models: chosen,
    })
    toasts.done(common.value.saved)
    onSaved(saved)
  }

  function change(at: number, draft: ModelDraft): void {
    others.value = others.peek().map((each, index) => (index === at ? draft : each))
  }

  return (
    <Card>
      <Form
        form={form}
        send={send}
        action={common.value.save}
        extra={
          isOwn &&
          others.value.length < MAX_FALLBACKS && (
            <Button
              icon="plus"
              onPress={() =>
                (others.value = [...others.value, { ...toDraft(null), provider: 'embedded' }])
              }
            >
              {words.addFallback}
            </Button>
          )
        }
      >
        <ModelFields
          title={words.first}
          draft={first.value}
          words={words}
          errorOf={(field) => form.errorOf(`/model/${field}`)}
          onChange={(draft) => (first.value = draft)}
        />
        {isOwn &&
          others.value.map((draft, at) => (
            <ModelFields
              key={draft.id}
              title={words.fallback(at + 1)}
              draft={draft}
              words={words}
              errorOf={(field) => form.errorOf(`/fallback_models/${at}/${field}`)}
              onChange={(changed) => change(at, changed)}
              onRemove={() => (others.value = others.value.filter((_, index) => index !== at))}
            />
          ))}
      </Form>
    </Card>
  )
}

function Checks({ words }: { words: Words }): VNode {
  const { api, format, toasts, explain } = useApp()
  const checks = useSignal<ModelCheck[] | undefined>(undefined)

  async function test(): Promise<void> {
    try {
      checks.value = (await api.post<{ data: ModelCheck[] }>('workspace/model/test')).data
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  return (
    <Card
      title={words.checked}
      flush={checks.value !== undefined}
      actions={
        <Button small icon="play" onPress={test}>
          {words.testModel}
        </Button>
      }
    >
      {checks.value === undefined ? (
        <p class="soft">{words.testModelHint}</p>
      ) : (
        <Table
          label={words.checked}
          rows={checks.value}
          rowKey={(row) => `${row.provider} ${row.model}`}
          columns={[
            { label: words.checkColumns.model, cell: (row) => row.model ?? row.provider },
            {
              label: words.checkColumns.state,
              cell: (row) => (
                <span>
                  <Badge tone={row.ok ? 'good' : 'wrong'}>
                    {row.ok ? words.works : words.fails}
                  </Badge>{' '}
                  {row.detail}
                </span>
              ),
            },
            {
              label: words.checkColumns.time,
              end: true,
              cell: (row) => format.value.duration(row.duration_ms),
            },
          ]}
        />
      )}
    </Card>
  )
}
