import { useSignal, useSignalEffect } from '@preact/signals'
import type { VNode } from 'preact'
import type { ModelChoice, NewModelChoice } from '../../../server/workspaces/schema.ts'
import type { Words } from '../../locales/en/settings.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'

export const INSTALLATION = 'installation'
const PROVIDERS = ['embedded', 'openai-compatible', 'anthropic'] as const

/** A choice while it is edited; empty fields are left out of what is stored. */
export interface ModelDraft {
  /** Identifies a draft while its fields change. */
  id: string
  provider: string
  address: string
  model: string
  imageModel: string
  key: string
  hasKey: boolean
}

export function toDraft(choice: ModelChoice | null): ModelDraft {
  return {
    id: crypto.randomUUID(),
    provider: choice?.provider ?? INSTALLATION,
    address: choice?.base_url ?? '',
    model: choice?.model ?? '',
    imageModel: choice?.image_model ?? '',
    key: '',
    hasKey: choice?.has_api_key ?? false,
  }
}

/** Returns the choice to store; none for the installation's. */
export function toChoice(draft: ModelDraft): NewModelChoice[] {
  const provider = PROVIDERS.find((each) => each === draft.provider)
  if (!provider) return []
  if (provider === 'embedded') return [{ provider }]
  const fields = {
    base_url: draft.address.trim(),
    model: draft.model.trim(),
    image_model: draft.imageModel.trim(),
    api_key: draft.key.trim(),
  }
  return [{ provider, ...Object.fromEntries(Object.entries(fields).filter(([, text]) => text)) }]
}

/** The fields of one model. */
export function ModelFields({
  title,
  draft,
  words,
  errorOf,
  onChange,
  onRemove,
}: {
  title: string
  draft: ModelDraft
  words: Words
  errorOf: (field: string) => string | undefined
  onChange: (draft: ModelDraft) => void
  /** Left out for the first model, which may be the installation's instead. */
  onRemove?: () => void
}): VNode {
  const provider = useSignal(draft.provider)
  const address = useSignal(draft.address)
  const model = useSignal(draft.model)
  const imageModel = useSignal(draft.imageModel)
  const key = useSignal(draft.key)
  const { id, hasKey } = draft
  useSignalEffect(() =>
    onChange({
      id,
      provider: provider.value,
      address: address.value,
      model: model.value,
      imageModel: imageModel.value,
      key: key.value,
      hasKey,
    }),
  )
  const isRemote = provider.value === 'openai-compatible' || provider.value === 'anthropic'
  const options = PROVIDERS.map((value) => ({ value, label: words.providers[value] }))
  return (
    <fieldset class="stack">
      <div class="row between">
        <legend>{title}</legend>
        {onRemove && (
          <Button small kind="plain" icon="trash" onPress={onRemove}>
            {words.removeFallback}
          </Button>
        )}
      </div>
      <SelectField
        label={words.provider}
        value={provider}
        options={
          onRemove
            ? options
            : [{ value: INSTALLATION, label: words.providers[INSTALLATION] }, ...options]
        }
      />
      {isRemote && (
        <>
          <div class="columns">
            <TextField
              label={words.model}
              hint={words.modelHint}
              value={model}
              error={errorOf('model')}
            />
            <TextField label={words.imageModel} value={imageModel} error={errorOf('image_model')} />
          </div>
          <TextField
            label={words.address}
            hint={words.addressHint}
            value={address}
            type="url"
            error={errorOf('base_url')}
          />
          <TextField
            label={words.apiKey}
            {...(hasKey ? { hint: words.keyKept } : {})}
            value={key}
            type="password"
            autocomplete="off"
            error={errorOf('api_key')}
          />
        </>
      )}
    </fieldset>
  )
}
