import type { Clock } from '../lib/clock.ts'
import { embeddedModel } from './embedded/embedded-model.ts'
import type { Upstream } from './http/provider-request.ts'
import type { Model } from './model.ts'
import { PROVIDERS, type ProviderName } from './providers.ts'

declare module '../context.ts' {
  interface Services {
    /** The models that run prompts and write answers for a workspace. */
    readonly models: Models
  }
}

/** Longest time until a choice that another process changed takes effect here. */
const CACHE_TTL_MS = 5_000
const MAX_CACHED = 1_000

/** A configured provider, with its key decrypted. */
export interface ProviderChoice {
  provider: ProviderName
  baseUrl?: string | undefined
  apiKey?: string | undefined
  /** Absent when it generates images only. */
  model?: string | undefined
  imageModel?: string | undefined
}

/** The connections to providers. */
export interface Dispatchers {
  /** To the address in the installation's settings. */
  trusted: Upstream
  /** To addresses that customers chose, behind the SSRF guard. */
  guarded: Upstream
}

export interface ModelsOptions {
  clock: Clock
  /** Opens the connections with the first remote provider: most processes start without one. */
  openDispatchers: (pending: { calls: number }) => Promise<Dispatchers>
  /** A model of the embedding program, which replaces the one of the settings. */
  own?: Model | undefined
  /** The provider of the settings; undefined for the embedded model. */
  installation: ProviderChoice | undefined
  /** A workspace's choices in failover order; empty when it left them to the installation. */
  find: (workspaceId: string) => Promise<readonly ProviderChoice[]>
}

/** The models of a workspace in failover order, by the party that pays for them. */
export interface WorkspaceModels {
  /** The workspace's own choices. */
  own: readonly Model[]
  /** The installation's model; absent for a workspace that chose a local provider. */
  installation: readonly Model[]
}

/** Resolves the models of a workspace, and caches the result for `CACHE_TTL_MS`. */
export class Models {
  readonly #options: ModelsOptions
  readonly #pending = { calls: 0 }
  #dispatchers: Promise<Dispatchers> | undefined
  readonly #cache = new Map<string, { until: number; models: Promise<WorkspaceModels> }>()

  constructor(options: ModelsOptions) {
    this.#options = options
  }

  /**
   * The models of a workspace in failover order: its own choices, then the installation's. The
   * embedded model is among them only where it was chosen or where nothing else is configured.
   */
  async candidates(workspaceId: string): Promise<readonly Model[]> {
    const { own, installation } = await this.resolve(workspaceId)
    return [...own, ...installation]
  }

  /** The same models, with the workspace's own apart from the installation's. */
  resolve(workspaceId: string): Promise<WorkspaceModels> {
    const now = this.#options.clock.now()
    const cached = this.#cache.get(workspaceId)
    if (cached && cached.until > now) return cached.models
    const models = this.#open(workspaceId)
    this.#cache.delete(workspaceId)
    this.#cache.set(workspaceId, { until: now + CACHE_TTL_MS, models })
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= MAX_CACHED) break
      this.#cache.delete(oldest)
    }
    models.catch(() => this.invalidate(workspaceId))
    return models
  }

  /** Calls of providers that have not been answered to their end. */
  get pendingCalls(): number {
    return this.#pending.calls
  }

  /** Drops the cached models of a workspace whose choice has changed. Idempotent. */
  invalidate(workspaceId: string): void {
    this.#cache.delete(workspaceId)
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    const reach = await this.#dispatchers
    if (!reach) return
    const { trusted, guarded } = reach
    await Promise.all([trusted.dispatcher.destroy(), guarded.dispatcher.destroy()])
  }

  async #open(workspaceId: string): Promise<WorkspaceModels> {
    const choices = await this.#options.find(workspaceId)
    const own: Model[] = []
    for (const choice of choices) own.push(await this.#openChoice(choice, 'guarded'))
    // A workspace that chose a local provider wants its data to stay in the process.
    if (choices.some(({ provider }) => PROVIDERS[provider].isLocal)) {
      return { own, installation: [] }
    }
    const shared = await this.#openInstallation()
    if (shared) return { own, installation: [shared] }
    return { own, installation: own.length > 0 ? [] : [embeddedModel] }
  }

  async #openInstallation(): Promise<Model | undefined> {
    const { own, installation } = this.#options
    return own ?? (installation && (await this.#openChoice(installation, 'trusted')))
  }

  async #openChoice(choice: ProviderChoice, way: keyof Dispatchers): Promise<Model> {
    const provider = PROVIDERS[choice.provider]
    if (provider.isLocal) return provider.model
    this.#dispatchers ??= this.#options.openDispatchers(this.#pending)
    const upstream = (await this.#dispatchers)[way]
    const { baseUrl = provider.defaultBaseUrl, apiKey, model, imageModel } = choice
    const opened = provider.open(upstream, { baseUrl, apiKey, model, imageModel })
    return { ...opened, defaults: { text: model, image: imageModel } }
  }
}
