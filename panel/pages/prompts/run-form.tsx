import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { z } from 'zod'
import type { Prompt, RunDetail } from '../../../server/prompts/schema.ts'
import { ApiError } from '../../app/api/api.ts'
import { useResource } from '../../app/api/resource.ts'
import { useApp } from '../../app/app-context.ts'
import { explainFields } from '../../app/api/field-errors.ts'
import { BASE } from '../../app/router.ts'
import type { CommonWords } from '../../locales/en/common.ts'
import type { Words } from '../../locales/en/prompts.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card, Loaded } from '../../ui/page.tsx'
import { costOf, obstacleOf } from './availability.ts'
import { fieldsOf, inputsFrom, type Typed } from './inputs.ts'
import { InputControl } from './input-control.tsx'
import { Result } from './result.tsx'
import { runPrompt, type RunEnd } from './run-stream.ts'
import { initialOf, readDraft, typedOf, writeDraft } from './typed-inputs.ts'

interface Props {
  prompt: Prompt
  words: Words
}

/** Runs a prompt: with the inputs of the run that the address names, else with the draft. */
export function RunForm({ prompt, words }: Props): VNode {
  const { api, router } = useApp()
  const runId = router.query.value.get('run') ?? ''
  const run = useResource<z.infer<typeof RunDetail>>(runId, (signal) =>
    api.get(`runs/${runId}`, {}, signal),
  )
  if (runId === '') return <InputForm prompt={prompt} words={words} />
  return (
    <Loaded of={run}>
      {({ inputs }) => (
        <div class="stack">
          {inputs === null && <p class="soft">{words.inputsGone}</p>}
          <InputForm key={runId} prompt={prompt} words={words} inputs={inputs} />
        </div>
      )}
    </Loaded>
  )
}

/** Fills in a prompt's inputs, runs it, and shows the answer as it is written. */
function InputForm({
  prompt,
  words,
  inputs = null,
}: Props & { inputs?: Record<string, unknown> | null }): VNode {
  const { api, explain, format, language, session, words: common } = useApp()
  const fields = useMemo(() => fieldsOf(prompt.inputs_schema), [prompt])
  const typed = useSignal<Typed>({
    ...initialOf(fields),
    ...(inputs === null ? readDraft(prompt.prompt_id) : typedOf(inputs)),
  })
  const errors = useSignal<Record<string, string>>({})
  const error = useSignal('')
  const text = useSignal('')
  const end = useSignal<RunEnd | undefined>(undefined)
  const isRunning = useSignal(false)
  const running = useRef<AbortController>(undefined)
  const me = session.me.value
  const obstacle = me && obstacleOf(prompt, me, words)

  useEffect(() => () => running.current?.abort(), [])

  function type(name: string, value: string): void {
    typed.value = { ...typed.value, [name]: value }
    writeDraft(prompt.prompt_id, typed.value)
  }

  async function run(): Promise<void> {
    errors.value = {}
    error.value = ''
    text.value = ''
    end.value = undefined
    const stop = new AbortController()
    running.current = stop
    isRunning.value = true
    try {
      const locale = prompt.locales.find((each) => each === language.value)
      end.value = await runPrompt(
        api,
        {
          prompt_id: prompt.prompt_id,
          inputs: inputsFrom(fields, typed.value),
          ...(locale === undefined ? {} : { locale }),
        },
        { signal: stop.signal, hear: (delta) => (text.value += delta) },
      )
      if (!end.value) error.value = words.interrupted
    } catch (failure) {
      if (stop.signal.aborted) error.value = words.stopped
      else if (failure instanceof SyntaxError) error.value = words.jsonWrong
      else {
        if (failure instanceof ApiError)
          errors.value = inputErrors(failure, common.value.fieldErrors)
        error.value = explain(failure)
      }
    } finally {
      isRunning.value = false
      void session.refresh().catch(() => undefined)
    }
  }

  return (
    <div class="columns">
      <Card title={words.inputs}>
        <form
          class="form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!isRunning.value && obstacle === undefined) void run()
          }}
        >
          {fields.length === 0 && <p class="soft">{words.noInputs}</p>}
          {fields.map((field) => (
            <InputControl
              key={field.name}
              field={field}
              words={words}
              value={typed.value[field.name] ?? ''}
              error={errors.value[field.name]}
              onType={(value) => type(field.name, value)}
            />
          ))}
          <p class="soft small">
            {words.costLead}: {costOf(prompt, words, format.value.number)}.{' '}
            {me && words.left(me.credits.remaining, format.value.number(me.credits.remaining))}
          </p>
          {obstacle !== undefined && (
            <div class="stack tight">
              <p>
                <Badge tone="warn">{obstacle}</Badge>
              </p>
              {prompt.unavailable_reason !== undefined && (
                <p class="small">
                  {words.needsText[prompt.unavailable_reason]}{' '}
                  <a href={`${BASE}/settings/models`}>{words.openSettings}</a>
                </p>
              )}
            </div>
          )}
          <div class="row">
            <button
              class="button primary"
              aria-disabled={isRunning.value || obstacle !== undefined ? 'true' : undefined}
            >
              {isRunning.value ? words.running : words.run}
            </button>
            {isRunning.value && (
              <Button onPress={() => running.current?.abort()}>{words.stop}</Button>
            )}
          </div>
        </form>
      </Card>
      <Result
        text={text.value}
        end={end.value}
        error={error.value}
        isRunning={isRunning.value}
        words={words}
      />
    </div>
  )
}

/** Returns the errors of inputs by name; the pointers of the body begin with `/inputs/`. */
function inputErrors(
  { fields }: ApiError,
  words: CommonWords['fieldErrors'],
): Record<string, string> {
  const errors = Object.entries(explainFields(fields, words))
  return Object.fromEntries(
    errors.map(([path, sentence]) => [path.replace(/^\/inputs\//, '').split('/')[0], sentence]),
  )
}
