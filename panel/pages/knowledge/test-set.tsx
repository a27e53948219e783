import { useComputed, useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { AnswerVerdict, TestQuestion, TestResults } from '../../../server/evaluation/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { isLeaving, removeLater } from '../../app/alerts/late-removal.ts'
import { useList, useResource } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/knowledge.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CheckField, TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Ago, Badge, Card, Empty, Skeleton, type Tone } from '../../ui/page.tsx'
import { ListTable, Table } from '../../ui/table.tsx'

const ASK_INTERVAL_MS = 1_500
const TONES: Record<AnswerVerdict, Tone> = {
  right: 'good',
  partly: 'warn',
  refused: 'warn',
  wrong: 'wrong',
}

interface Props {
  tenantId: string
  words: Words
}

/** Questions with the answer that is expected, the last run, and what changed since the one before. */
export function TestSet({ tenantId, words }: Props): VNode {
  const app = useApp()
  const { api, toasts, explain } = app
  const base = `tenants/${tenantId}/questions`
  const isAdding = useSignal(false)
  const questions = useList<TestQuestion>(base, (cursor, signal) =>
    api.get(base, { cursor, limit: 50 }, signal),
  )
  // `null` before the first run.
  const results = useResource<TestResults | null>(`${base} results`, (signal) =>
    api.get(`${base}/results`, {}, signal),
  )
  const isRunning = results.value.value?.state === 'running'

  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => void results.reload(), ASK_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isRunning])

  async function run(): Promise<void> {
    try {
      await api.post(`${base}/run`)
      await results.reload()
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  const pathOf = (row: TestQuestion): string => `${base}/${row.question_id}`
  const shown = useComputed(() => questions.rows.value?.filter((row) => !isLeaving(pathOf(row))))
  const hasQuestions = (shown.value?.length ?? 0) > 0
  // The last run stands above the questions, and would push them away from under a finger.
  if (results.value.value === undefined && results.error.value === undefined) return <Skeleton />
  return (
    <div class="stack">
      {results.value.value && <LastRun results={results.value.value} words={words} />}
      <Card
        flush
        title={words.tabs.tests}
        actions={
          <>
            <Button small icon="play" disabled={isRunning || !hasQuestions} onPress={run}>
              {isRunning ? words.running : words.run}
            </Button>
            <Button small kind="primary" icon="plus" onPress={() => (isAdding.value = true)}>
              {words.addQuestion}
            </Button>
          </>
        }
      >
        <ListTable
          list={{ ...questions, rows: shown }}
          label={words.tabs.tests}
          rowKey={(row) => row.question_id}
          empty={
            <Empty icon="check" title={words.noTests}>
              {words.noTestsText}
            </Empty>
          }
          columns={[
            { label: words.columns.question, cell: (row) => row.question },
            { label: words.columns.expected, cell: (row) => expectedOf(row, words) },
            {
              label: '',
              end: true,
              cell: (row) => (
                <Button
                  small
                  kind="plain"
                  icon="trash"
                  label={`${words.remove}: ${row.question}`}
                  onPress={() =>
                    removeLater(app, { path: pathOf(row), text: words.removed(row.question) })
                  }
                />
              ),
            },
          ]}
        />
      </Card>
      {isAdding.value && (
        <AddQuestion
          base={base}
          words={words}
          onAdded={questions.reload}
          onClose={() => (isAdding.value = false)}
        />
      )}
    </div>
  )
}

function expectedOf({ expected }: TestQuestion, words: Words): string {
  if (expected.none) return words.expectNone
  return expected.words?.join(', ') ?? words.expectDocument
}

function LastRun({ results, words }: { results: TestResults; words: Words }): VNode {
  const { format } = useApp()
  const { number } = format.value
  const verdicts = ['right', 'partly', 'refused', 'wrong'] as const
  return (
    <Card
      title={words.lastRun}
      actions={
        <span class="soft small">
          <Ago at={results.at} />
        </span>
      }
    >
      <div class="stack">
        <div class="row">
          {verdicts.map((verdict) => (
            <Badge key={verdict} tone={TONES[verdict]}>
              {`${words.verdicts[verdict]}: ${number(results[verdict])}`}
            </Badge>
          ))}
          {results.error !== null && (
            <Badge tone="wrong" lang="en">
              {results.error}
            </Badge>
          )}
        </div>
        <Table
          label={words.lastRun}
          rows={results.results.filter(({ outcome, changed }) => outcome !== 'right' || changed)}
          rowKey={(row) => row.question_id}
          columns={[
            { label: words.columns.question, cell: (row) => row.question },
            {
              label: words.columns.answer,
              cell: (row) => <span class="long">{row.answer}</span>,
            },
            {
              label: words.columns.verdict,
              cell: (row) => (
                <span class="row">
                  <Badge tone={TONES[row.outcome]}>{words.verdicts[row.outcome]}</Badge>
                  {row.changed && row.before !== null && (
                    <span class="soft small">{words.before(words.verdicts[row.before])}</span>
                  )}
                </span>
              ),
            },
          ]}
        />
      </div>
    </Card>
  )
}

function AddQuestion({
  base,
  words,
  onAdded,
  onClose,
}: {
  base: string
  words: Words
  onAdded: () => Promise<void>
  onClose: () => void
}): VNode {
  const { api } = useApp()
  const form = useForm()
  const question = useSignal('')
  const wanted = useSignal('')
  const isNone = useSignal(false)

  async function send(): Promise<void> {
    const list = wanted.value.split(',').map((word) => word.trim())
    const expected = isNone.value ? { none: true } : { words: list.filter((word) => word !== '') }
    await api.post(base, { question: question.value, expected })
    await onAdded()
  }

  return (
    <Dialog title={words.addQuestion} onClose={onClose}>
      <Form form={form} send={send} done={onClose} action={words.addAction}>
        <TextField
          label={words.columns.question}
          value={question}
          error={form.errorOf('/question')}
        />
        <CheckField label={words.expectNoneLabel} value={isNone} />
        {!isNone.value && (
          <TextField
            label={words.expectWords}
            hint={words.expectWordsHint}
            value={wanted}
            error={form.errorOf('/expected')}
          />
        )}
      </Form>
    </Dialog>
  )
}
