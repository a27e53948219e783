import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Prompt, PromptKind } from '../../../server/prompts/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import { forgetText, useStoredText } from '../../app/stored-draft.ts'
import type { Words } from '../../locales/en/prompts.ts'
import { Button } from '../../ui/button.tsx'
import { AreaField, SelectField, TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Card, Loaded, PageHead } from '../../ui/page.tsx'
import { schemaFromTexts } from './placeholders.ts'

const KINDS = ['fixed', 'bot', 'image'] as const satisfies readonly PromptKind[]
const PLANS = ['starter', 'klinik_pro', 'ajans_pro', 'eticaret_pro', 'enterprise'] as const

/** A new prompt, empty or as a copy of the one that the address names. */
export function Editor({ words }: { words: Words }): VNode {
  const { api, language, router } = useApp()
  const copied = router.query.value.get('copy') ?? ''
  const source = useResource<Prompt | null>(`copy ${copied}`, async (signal) =>
    copied === '' ? null : api.get<Prompt>(`prompts/${copied}`, { locale: language.value }, signal),
  )
  return (
    <>
      <PageHead title={words.newPrompt} lead={<a href={`${BASE}/prompts`}>{words.title}</a>} />
      <Loaded of={source}>
        {(prompt) => (
          <PromptFields
            prompt={prompt}
            isNew
            words={words}
            onSaved={(saved) => router.go(`/prompts/${saved.prompt_id}`, { replace: true })}
          />
        )}
      </Loaded>
    </>
  )
}

/** The definition of a prompt; saving an existing one makes its next version. */
export function PromptFields({
  prompt,
  isNew = false,
  words,
  onSaved,
}: {
  prompt: Prompt | null
  isNew?: boolean
  words: Words
  onSaved: (saved: Prompt) => void
}): VNode {
  const { api, toasts } = useApp()
  const form = useForm()
  const id = useSignal(prompt === null ? '' : isNew ? `${prompt.prompt_id}-2` : prompt.prompt_id)
  const title = useSignal(prompt?.title ?? '')
  const kind = useSignal<string>(prompt?.kind ?? 'fixed')
  const price = useSignal(String(prompt?.credits_cost ?? 2))
  const own = `prompt ${isNew ? 'new' : ''} ${prompt?.prompt_id ?? ''}`
  const template = useStoredText(`${own} template`, prompt?.template ?? '')
  const instructions = useStoredText(`${own} instructions`, prompt?.instructions ?? '')
  const schema = useSignal(JSON.stringify(prompt?.inputs_schema ?? schemaFromTexts([]), null, 2))
  const schemaError = useSignal('')
  const model = useSignal(prompt?.model ?? '')
  const maxTokens = useSignal(String(prompt?.max_output_tokens ?? ''))
  const minPlan = useSignal<string>(prompt?.min_plan ?? 'starter')
  const locales = useSignal(prompt?.locales.join(', ') ?? '')

  function definition(): object {
    const languages = locales.value.split(',').map((code) => code.trim())
    const given = languages.filter((code) => code !== '')
    return {
      title: title.value,
      kind: kind.value,
      template: template.value,
      inputs_schema: JSON.parse(schema.value),
      min_plan: minPlan.value,
      ...(kind.value === 'bot' ? {} : { credits_cost: Number(price.value) }),
      ...(instructions.value.trim() === '' ? {} : { instructions: instructions.value }),
      ...(model.value.trim() === '' ? {} : { model: model.value.trim() }),
      ...(maxTokens.value === '' ? {} : { max_output_tokens: Number(maxTokens.value) }),
      ...(given.length === 0 ? {} : { locales: given }),
    }
  }

  async function send(): Promise<void> {
    schemaError.value = ''
    let body: object
    try {
      body = definition()
    } catch {
      schemaError.value = words.jsonWrong
      return
    }
    const saved = isNew
      ? await api.post<Prompt>('prompts', { prompt_id: id.value, ...body })
      : await api.put<Prompt>(`prompts/${id.value}`, body)
    toasts.done(words.saved(saved.version))
    forgetText(`${own} template`)
    forgetText(`${own} instructions`)
    onSaved(saved)
  }

  return (
    <Card>
      <Form form={form} send={send} action={isNew ? words.create : words.saveVersion}>
        <p class="soft small">{words.editorLead}</p>
        <div class="columns">
          <TextField label={words.name} value={title} error={form.errorOf('/title')} />
          {isNew && (
            <TextField
              label={words.id}
              hint={words.idHint}
              value={id}
              maxLength={40}
              error={form.errorOf('/prompt_id')}
            />
          )}
        </div>
        <AreaField
          label={words.template}
          value={template}
          dir="auto"
          rows={8}
          error={form.errorOf('/template')}
        />
        <AreaField
          label={words.instructions}
          value={instructions}
          dir="auto"
          error={form.errorOf('/instructions')}
        />
        <div class="columns">
          <SelectField
            label={words.kind}
            value={kind}
            options={KINDS.map((value) => ({ value, label: words.kinds[value] }))}
          />
          {kind.value !== 'bot' && (
            <TextField
              label={words.price}
              hint={kind.value === 'image' ? words.priceHint.image : words.priceHint.fixed}
              value={price}
              type="number"
              min={1}
              max={50}
              error={form.errorOf('/credits_cost')}
            />
          )}
        </div>
        <AreaField
          label={words.schema}
          hint={words.schemaHint}
          value={schema}
          error={schemaError.value || form.errorOf('/inputs_schema')}
        />
        <div class="row">
          <Button
            small
            onPress={() => {
              const made = schemaFromTexts([template.value, instructions.value])
              schema.value = JSON.stringify(made, null, 2)
            }}
          >
            {words.fromTemplate}
          </Button>
        </div>
        <div class="columns">
          <TextField
            label={words.model}
            hint={words.modelHint}
            value={model}
            error={form.errorOf('/model')}
          />
          <TextField
            label={words.maxTokens}
            hint={words.maxTokensHint}
            value={maxTokens}
            type="number"
            error={form.errorOf('/max_output_tokens')}
          />
          <SelectField
            label={words.minPlan}
            value={minPlan}
            options={PLANS.map((value) => ({ value, label: words.plans[value] }))}
          />
          <TextField
            label={words.locales}
            hint={words.localesHint}
            value={locales}
            error={form.errorOf('/locales')}
          />
        </div>
      </Form>
    </Card>
  )
}
