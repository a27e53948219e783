import { anthropicProvider } from './anthropic/anthropic.ts'
import { embeddedProvider } from './embedded/embedded-model.ts'
import { openAiCompatibleProvider } from './openai/openai-compatible.ts'
import type { ModelProvider } from './provider.ts'

/** The names of the providers in `MODEL_PROVIDER` and in a workspace's choice. */
export const PROVIDER_NAMES = ['embedded', 'openai-compatible', 'anthropic'] as const
export type ProviderName = (typeof PROVIDER_NAMES)[number]

/** Every provider. A new one needs a line here, its name above, and a file of its own. */
export const PROVIDERS: Readonly<Record<ProviderName, ModelProvider>> = {
  embedded: embeddedProvider,
  'openai-compatible': openAiCompatibleProvider,
  anthropic: anthropicProvider,
}
