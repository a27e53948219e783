import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Document, ReadPassage } from '../../../server/knowledge/schema.ts'
import type { Page } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import { useStoredText } from '../../app/stored-draft.ts'
import { DocumentState } from '../../knowledge/document-state.tsx'
import { explainReading } from '../../knowledge/reading-problems.ts'
import type { Words } from '../../locales/en/knowledge.ts'
import { Button } from '../../ui/button.tsx'
import { AreaField, TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Ago, BackLink, Card, Loaded, PageHead } from '../../ui/page.tsx'

type FullDocument = Document & { content: string }
const EDITABLE = new Set(['markdown', 'html', 'text'])

/** One document: what it says, how it was cut into passages, and its text to edit. */
export function DocumentPage({
  tenantId,
  id,
  words,
}: {
  tenantId: string
  id: string
  words: Words
}): VNode {
  const { api, toasts, explain } = useApp()
  const path = `tenants/${tenantId}/knowledge/${id}`
  const document = useResource<FullDocument>(path, (signal) => api.get(path, {}, signal))
  const passages = useResource<{ data: ReadPassage[] }>(`${path} passages`, (signal) =>
    api.get(`${path}/passages`, {}, signal),
  )

  async function readAgain(): Promise<void> {
    try {
      await api.post(`${path}/sync`)
      await document.reload()
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  return (
    <Loaded of={document}>
      {(value) => (
        <div class="stack">
          <BackLink path="/knowledge">{words.tabs.documents}</BackLink>
          <PageHead title={value.title}>
            {(value.kind === 'url' || value.kind === 'sitemap') && (
              <Button icon="refresh" onPress={readAgain}>
                {words.readAgain}
              </Button>
            )}
          </PageHead>
          <Facts document={value} words={words} />
          {EDITABLE.has(value.kind) && value.file_name === null && (
            <Card title={words.editTitle}>
              <Editor
                document={value}
                path={path}
                words={words}
                onSaved={async () => {
                  await document.reload()
                  await passages.reload()
                }}
              />
            </Card>
          )}
          {value.kind === 'sitemap' && (
            <Pages path={path} id={id} words={words} tenantId={tenantId} />
          )}
          {value.kind !== 'sitemap' && value.passages > 0 && (
            <Card title={words.passagesTitle}>
              <p class="soft small">{words.passagesHint}</p>
              <Loaded of={passages}>
                {({ data }) => (
                  <ol class="stack tight passages">
                    {data.map((passage) => (
                      <li key={passage.heading + passage.text} class="card">
                        <h3>{passage.heading}</h3>
                        <p class="passage">{passage.text}</p>
                      </li>
                    ))}
                  </ol>
                )}
              </Loaded>
            </Card>
          )}
        </div>
      )}
    </Loaded>
  )
}

function Facts({ document, words }: { document: FullDocument; words: Words }): VNode {
  const { format } = useApp()
  return (
    <dl class="definitions">
      <dt>{words.columns.kind}</dt>
      <dd>{words.kinds[document.kind]}</dd>
      <dt>{words.columns.state}</dt>
      <dd>
        <DocumentState document={document} words={words.states} />
      </dd>
      {document.url !== null && (
        <>
          <dt>{words.address}</dt>
          <dd>
            <a href={document.url} target="_blank" rel="noopener noreferrer">
              {document.url}
            </a>
          </dd>
        </>
      )}
      {document.file_name !== null && (
        <>
          <dt>{words.fileName}</dt>
          <dd>{document.file_name}</dd>
        </>
      )}
      {document.bytes > 0 && (
        <>
          <dt>{words.size}</dt>
          <dd>{format.value.bytes(document.bytes)}</dd>
        </>
      )}
      <dt>{words.columns.read}</dt>
      <dd>
        <Ago at={document.synced_at ?? document.updated_at} />
      </dd>
      {document.next_sync_at !== null && (
        <>
          <dt>{words.nextRead}</dt>
          <dd>{format.value.dateTime(document.next_sync_at)}</dd>
        </>
      )}
    </dl>
  )
}

function Editor({
  document,
  path,
  words,
  onSaved,
}: {
  document: FullDocument
  path: string
  words: Words
  onSaved: () => Promise<void>
}): VNode {
  const { api, toasts, words: common } = useApp()
  const form = useForm((message) => explainReading(message, words.states.problems))
  const title = useSignal(document.title)
  const content = useStoredText(document.doc_id, document.content)

  return (
    <Form
      form={form}
      action={common.value.save}
      send={async () => {
        await api.patch(path, { title: title.value, content: content.value })
        await onSaved()
      }}
      done={() => toasts.done(common.value.saved)}
    >
      <TextField label={words.textTitle} value={title} error={form.errorOf('/title')} />
      <AreaField
        label={words.text}
        hint={words.textHint}
        value={content}
        rows={14}
        dir="auto"
        error={form.errorOf('/content')}
      />
    </Form>
  )
}

function Pages({
  id,
  words,
  tenantId,
}: {
  path: string
  id: string
  words: Words
  tenantId: string
}): VNode {
  const { api } = useApp()
  const pages = useResource<Page<Document>>(`${id} pages`, (signal) =>
    api.get(`tenants/${tenantId}/knowledge`, { parent_id: id, limit: 100 }, signal),
  )
  return (
    <Card title={words.pagesTitle} flush>
      <Loaded of={pages}>
        {({ data }) => (
          <ul class="reading">
            {data.map((page) => (
              <li key={page.doc_id} class="row between">
                <a class="grow ellipsis" href={`${BASE}/knowledge/documents/${page.doc_id}`}>
                  {page.title}
                </a>
                <DocumentState document={page} words={words.states} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}
