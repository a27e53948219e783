import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Document } from '../../../server/knowledge/schema.ts'
import type { Page, Query } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import { DocumentState } from '../../knowledge/document-state.tsx'
import { FileDrop } from '../../knowledge/file-drop.tsx'
import { Button } from '../../ui/button.tsx'
import { AreaField, TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import type { StepProps } from './step.ts'

const ASK_INTERVAL_MS = 1_000
const SHOWN = 100
type KnowledgeSource = 'website' | 'files' | 'facts'
const SOURCES: readonly KnowledgeSource[] = ['website', 'files', 'facts']

/** The assistant's first knowledge: a website, files, or facts that are typed in. */
export function KnowledgeStep({ words, next }: StepProps): VNode {
  const { api, site } = useApp()
  const source = useSignal<KnowledgeSource>('website')
  const tenantId = site.value?.tenant_id ?? ''
  const path = `tenants/${tenantId}/knowledge`
  const documents = useResource<Document[]>(tenantId, async (signal) => {
    const list = (query: Query): Promise<Page<Document>> =>
      api.get(path, { limit: SHOWN, ...query }, signal)
    const { data } = await list({})
    // Below a website its pages appear as they are found and read.
    const withPages = data.map(async (each) => {
      const pages = each.kind === 'sitemap' ? (await list({ parent_id: each.doc_id })).data : []
      return [each, ...pages]
    })
    return (await Promise.all(withPages)).flat()
  })
  const rows = documents.value.value ?? []
  const isReading = rows.some(({ state }) => state === 'queued' || state === 'indexing')

  useEffect(() => {
    if (!isReading) return undefined
    const timer = setInterval(() => void documents.reload(), ASK_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isReading])

  return (
    <div class="stack">
      <div class="row" role="group" aria-label={words.steps.knowledge}>
        {SOURCES.map((each) => (
          <Button
            key={each}
            small
            kind="plain"
            pressed={each === source.value}
            onPress={() => (source.value = each)}
          >
            {words.sources[each]}
          </Button>
        ))}
      </div>
      <div class="card">
        {source.value === 'website' && (
          <Website words={words} tenantId={tenantId} onAdded={documents.reload} />
        )}
        {source.value === 'files' && (
          <FileDrop tenantId={tenantId} words={words} onAdded={documents.reload} />
        )}
        {source.value === 'facts' && (
          <Facts words={words} tenantId={tenantId} onAdded={documents.reload} />
        )}
      </div>
      {rows.length > 0 && (
        <ul class="card flush reading" aria-live="polite">
          {rows.map((row) => (
            <li
              key={row.doc_id}
              class={row.parent_id === null ? 'row between' : 'row between page'}
            >
              <span class="grow ellipsis">{row.title}</span>
              <DocumentState document={row} words={words.states} />
            </li>
          ))}
        </ul>
      )}
      <div class="row">
        <Button kind="primary" disabled={!rows.some(({ passages }) => passages > 0)} onPress={next}>
          {words.next}
        </Button>
        {isReading && <span class="soft">{words.readingGoesOn}</span>}
      </div>
    </div>
  )
}

interface SourceProps {
  words: StepProps['words']
  tenantId: string
  onAdded: () => Promise<void>
}

function Website({ words, tenantId, onAdded }: SourceProps): VNode {
  const { api } = useApp()
  const form = useForm()
  const address = useSignal('')

  async function send(): Promise<void> {
    const typed = address.value.trim()
    const url = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`
    await api.post(`tenants/${tenantId}/knowledge`, { kind: 'sitemap', url })
    address.value = ''
  }

  return (
    <Form form={form} send={send} done={onAdded} action={words.readWebsite}>
      <TextField
        label={words.websiteAddress}
        hint={words.websiteHint}
        value={address}
        inputMode="url"
        placeholder="www.example.com"
        error={form.errorOf('/url')}
      />
    </Form>
  )
}

function Facts({ words, tenantId, onAdded }: SourceProps): VNode {
  const { api } = useApp()
  const form = useForm()
  const facts = [useSignal(''), useSignal(''), useSignal('')]

  async function send(): Promise<void> {
    const content = facts
      .map(({ value }, index) => [words.factHeadings[index] ?? '', value.trim()])
      .filter(([, text]) => text !== '')
      .map(([heading, text]) => `## ${heading}\n\n${text}`)
      .join('\n\n')
    await api.post(`tenants/${tenantId}/knowledge`, {
      kind: 'markdown',
      title: words.factsTitle,
      content,
    })
    // A second press would add the same facts again.
    for (const fact of facts) fact.value = ''
  }

  return (
    <Form form={form} send={send} done={onAdded} action={words.addFacts}>
      {facts.map((fact, index) => (
        <AreaField
          key={words.factHeadings[index]}
          label={words.factHeadings[index] ?? ''}
          value={fact}
          placeholder={words.factExamples[index] ?? ''}
          error={index === 0 ? form.errorOf('/content') : undefined}
        />
      ))}
    </Form>
  )
}
