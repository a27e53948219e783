import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Asked } from '../../server/evaluation/schema.ts'
import { useApp } from '../app/app-context.ts'
import { useResource } from '../app/api/resource.ts'
import { BASE } from '../app/router.ts'
import type { ReadingWords } from '../locales/en/parts/reading.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { Badge, type Tone } from '../ui/page.tsx'
import './knowledge.css'

const TONES: Record<Asked['outcome'], Tone> = {
  answered: 'good',
  small_talk: 'plain',
  unsure: 'warn',
  refused: 'wrong',
}

/** Asks the assistant as a visitor would, and shows why it answered or refused. */
export function AskConsole({
  tenantId,
  words,
}: {
  tenantId: string
  words: ReadingWords['ask']
}): VNode {
  const { api, language } = useApp()
  const form = useForm()
  const question = useSignal('')
  const asked = useSignal<{ question: string; result: Asked } | undefined>(undefined)
  const suggestions = useResource<{ data: string[] }>(tenantId, (signal) =>
    api.get(`tenants/${tenantId}/suggested-questions`, {}, signal),
  )

  async function ask(): Promise<void> {
    const text = question.value.trim()
    const body = { question: text, locale: language.value }
    asked.value = { question: text, result: await api.post(`tenants/${tenantId}/ask`, body) }
  }

  return (
    <div class="stack">
      <div class="card">
        <Form form={form} send={ask} action={words.ask}>
          <TextField
            label={words.question}
            value={question}
            placeholder={words.placeholder}
            error={form.errorOf('/question')}
          />
        </Form>
        <Suggestions
          label={words.tryThese}
          questions={suggestions.value.value?.data ?? []}
          onPick={(text) => {
            question.value = text
            void form.submit(ask)
          }}
        />
      </div>
      {asked.value && (
        <Result asked={asked.value.question} result={asked.value.result} words={words} />
      )}
    </div>
  )
}

function Suggestions({
  label,
  questions,
  onPick,
}: {
  label: string
  questions: readonly string[]
  onPick: (question: string) => void
}): VNode | null {
  if (questions.length === 0) return null
  return (
    <div class="row suggestions" role="group" aria-label={label}>
      <span class="soft small">{label}</span>
      {questions.map((text) => (
        <Button key={text} small onPress={() => onPick(text)}>
          {text}
        </Button>
      ))}
    </div>
  )
}

function Result({
  asked,
  result,
  words,
}: {
  asked: string
  result: Asked
  words: ReadingWords['ask']
}): VNode {
  const { format } = useApp()
  const { number, percent } = format.value
  return (
    <div class="card stack" role="status">
      <div class="row between">
        <h2>{asked}</h2>
        <Badge tone={TONES[result.outcome]}>{words.outcomes[result.outcome]}</Badge>
      </div>
      <p class="answer">{result.answer}</p>
      <p class="soft small">
        {words.reasons[result.reason]}{' '}
        {words.confidence(percent(result.confidence), percent(result.threshold))}{' '}
        {result.credits_used > 0 && words.cost(result.credits_used, number(result.credits_used))}
      </p>
      <details>
        <summary>{`${words.passages} (${number(result.passages.length)})`}</summary>
        {result.passages.length === 0 && <p class="soft">{words.noSources}</p>}
        <ul class="stack tight passages">
          {result.passages.map((passage) => (
            <li key={passage.doc_id + passage.text} class="card">
              <div class="row between">
                <h3>{passage.title}</h3>
                <span class="soft small number">
                  {words.score} {number(passage.score)}
                </span>
              </div>
              <p class="passage">{passage.text}</p>
              <Button small icon="edit" href={`${BASE}/knowledge/documents/${passage.doc_id}`}>
                {words.fix}
              </Button>
            </li>
          ))}
        </ul>
      </details>
      <p class="soft small">{words.fixHint}</p>
    </div>
  )
}
