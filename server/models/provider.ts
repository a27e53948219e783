import type { Upstream } from './http/provider-request.ts'
import type { Model } from './model.ts'

/** Where a provider's API is, and what it is asked for. */
export interface ModelEndpoint {
  /** Where the API begins, with its `/v1`. */
  baseUrl: string
  apiKey: string | undefined
  /** Absent when the endpoint generates no text. */
  model?: string | undefined
  /** Absent when the endpoint generates no images. */
  imageModel?: string | undefined
}

/** A setting of the installation that a provider may require. */
export type RequiredSetting = 'MODEL_BASE_URL' | 'MODEL_API_KEY'

/** A provider that runs inside the process: a choice of it names neither an address nor a model. */
interface LocalProvider {
  readonly isLocal: true
  readonly model: Model
}

/** A provider behind an HTTP API: a choice of it must name a model for text or for images. */
interface RemoteProvider {
  readonly isLocal: false
  /** The base URL of a choice that names no other address. */
  readonly defaultBaseUrl: string
  /** Settings that `MODEL_PROVIDER` with this provider's name requires. */
  readonly requiredSettings: readonly RequiredSetting[]
  /** Opens a model; sends nothing yet. Throws TypeError for a base URL that is not one. */
  open(upstream: Upstream, endpoint: ModelEndpoint): Model
}

/** A provider of models: its name in settings and workspaces is its key in `PROVIDERS`. */
export type ModelProvider = LocalProvider | RemoteProvider
