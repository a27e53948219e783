import { type GenerateRequest, ModelFailure } from '../model.ts'
import type { ModelEndpoint } from '../provider.ts'

/** The model that a request for text names. Throws `ModelFailure` when none is configured. */
export function textModel(request: GenerateRequest, endpoint: ModelEndpoint): string {
  const model = request.model ?? endpoint.model
  if (model !== undefined) return model
  throw new ModelFailure(
    'unable',
    'No model for text is set: MODEL_NAME, or the workspace’s model.',
  )
}

/** The URL of a route of the API; a query of the base URL stays. */
export function routeUrl(baseUrl: string, route: string): URL {
  const url = new URL(baseUrl)
  url.pathname = url.pathname.replace(/\/+$/, '') + route
  return url
}
