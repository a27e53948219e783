import type { Clock } from '../lib/clock.ts'
import { anthropic } from './anthropic.ts'
import { embeddedModel } from './embedded-model.ts'
import type { Upstream } from './exchange.ts'
import type { Model } from './model.ts'
import { openAiCompatible } from './openai-compatible.ts'

/** A choice that another process changed is known here within this time. */
const KEPT_MS = 5_000
const MOST_KEPT = 1_000

export const PROVIDERS = ['embedded', 'openai-compatible', 'anthropic'] as const
export type ProviderName = (typeof PROVIDERS)[number]

/** Where the API of a provider begins, when nothing else is said. */
export const STANDARD_URLS: Readonly<Record<Exclude<ProviderName, 'embedded'>, string>> = {
  'openai-compatible': 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
}

/** A provider that somebody chose, ready to be used. */
export interface ProviderChoice {
  provider: ProviderName
  baseUrl?: string | undefined
  apiKey?: string | undefined
  /** Absent when it only draws. */
  model?: string | undefined
  imageModel?: string | undefined
}

/** The ways to providers. */
export interface Reach {
  /** For what the installation's own settings name. */
  trusted: Upstream
  /** For addresses that customers chose. */
  guarded: Upstream
}

export interface ModelsOptions {
  clock: Clock
  /** Opens the way to providers, once one is needed: most processes start without. */
  reach: () => Promise<Reach>
  /** A model that whoever starts the product brings along; the settings then do not matter. */
  own?: Model | undefined
  /** The installation's settings; undefined for the embedded model. */
  installation: ProviderChoice | undefined
  /** What a workspace chose, the best first; empty when it left it to the installation. */
  find: (workspaceId: string) => Promise<readonly ProviderChoice[]>
}

/** Which models answer for a workspace. */
export class Models {
  readonly #options: ModelsOptions
  #reached: Promise<Reach> | undefined
  readonly #kept = new Map<string, { until: number; models: Promise<readonly Model[]> }>()

  constructor(options: ModelsOptions) {
    this.#options = options
  }

  /**
   * The models of a workspace in the order in which they are tried: its own choice, then the
   * installation's. The embedded one is there only when nobody chose another.
   */
  candidates(workspaceId: string): Promise<readonly Model[]> {
    const now = this.#options.clock.now()
    const kept = this.#kept.get(workspaceId)
    if (kept && kept.until > now) return kept.models
    const models = this.#open(workspaceId)
    this.#kept.delete(workspaceId)
    this.#kept.set(workspaceId, { until: now + KEPT_MS, models })
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break
      this.#kept.delete(oldest)
    }
    models.catch(() => this.forget(workspaceId))
    return models
  }

  /** The workspace's choice has changed. */
  forget(workspaceId: string): void {
    this.#kept.delete(workspaceId)
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    const reach = await this.#reached
    if (!reach) return
    const { trusted, guarded } = reach
    await Promise.all([trusted.dispatcher.destroy(), guarded.dispatcher.destroy()])
  }

  async #open(workspaceId: string): Promise<readonly Model[]> {
    const { own, installation, find } = this.#options
    const choices = await find(workspaceId)
    const models: Model[] = []
    for (const choice of choices) models.push(await this.#openChoice(choice, 'guarded'))
    // Who chose the embedded model wants nothing to leave the house.
    if (!models.includes(embeddedModel)) {
      if (own) models.push(own)
      else if (installation) models.push(await this.#openChoice(installation, 'trusted'))
    }
    return models.length > 0 ? models : [embeddedModel]
  }

  async #openChoice(choice: ProviderChoice, way: keyof Reach): Promise<Model> {
    const { provider, apiKey, model, imageModel } = choice
    if (provider === 'embedded') return embeddedModel
    this.#reached ??= this.#options.reach()
    const upstream = (await this.#reached)[way]
    const baseUrl = choice.baseUrl ?? STANDARD_URLS[provider]
    const open = provider === 'anthropic' ? anthropic : openAiCompatible
    const opened = open(upstream, { baseUrl, apiKey, model, imageModel })
    return { ...opened, defaults: { text: model, image: imageModel } }
  }
}
