import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import { targetPolicy } from '../net/target.ts'
import type { Clock } from '../lib/clock.ts'
import type { Model } from '../models/model.ts'
import { type Dispatchers, Models, type ProviderChoice } from '../models/registry.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import type { Db } from '../storage/database.ts'
import { Embeddings } from '../models/embeddings.ts'
import { PROVIDERS } from '../models/providers.ts'
import { decryptEmbeddingKey, decryptKey } from './model-choices.ts'
import { type StoredChoice, findEmbeddingChoice, listChoices } from './store.ts'

/** Below the 5 s after which many servers close an idle connection without notice. */
const KEEP_ALIVE_TIMEOUT_MS = 4_000

/**
 * Opens the models of the installation and of its workspaces. `MODEL_BASE_URL` is trusted; calls to
 * an address that a workspace chose pass the SSRF guard of webhooks.
 */
export function openModels(deps: {
  db: Db
  clock: Clock
  config: Config
  secrets: Secrets
  log: FastifyBaseLogger
  own?: Model | undefined
}): Models {
  const { db, clock, config, secrets, log } = deps
  return new Models({
    clock,
    openDispatchers: (pending) => openDispatchers(config, clock, pending),
    own: deps.own,
    installation: config.model,
    async find(workspaceId) {
      const stored = await listChoices(db, workspaceId)
      return stored.flatMap((choice) => {
        try {
          return [toProviderChoice(choice, workspaceId)]
        } catch (error) {
          log.error(
            { event: 'models.key_decryption_failed', err: error, workspaceId },
            'decrypting the key of a model failed',
          )
          return []
        }
      })
    },
  })

  function toProviderChoice(choice: StoredChoice, workspaceId: string): ProviderChoice {
    return {
      provider: choice.provider,
      baseUrl: choice.base_url ?? undefined,
      apiKey: decryptKey(secrets, workspaceId, choice),
      model: choice.model ?? undefined,
      imageModel: choice.image_model ?? undefined,
    }
  }
}

/**
 * Opens the embedding models of the installation and of its workspaces, with the same guard. A
 * workspace that chose a local model keeps its data in the process, unless it brings a model.
 */
export function openEmbeddings({
  db,
  clock,
  config,
  secrets,
}: {
  db: Db
  clock: Clock
  config: Config
  secrets: Secrets
}): Embeddings {
  return new Embeddings({
    clock,
    openDispatchers: () => openDispatchers(config, clock),
    installation: config.embedding,
    async find(workspaceId) {
      const own = await findEmbeddingChoice(db, workspaceId)
      if (own) {
        const apiKey = decryptEmbeddingKey(secrets, own)
        return { baseUrl: own.base_url, model: own.model, apiKey }
      }
      if (!config.embedding) return undefined
      const choices = await listChoices(db, workspaceId)
      return choices.some(({ provider }) => PROVIDERS[provider].isLocal)
        ? undefined
        : 'installation'
    },
  })
}

async function openDispatchers(
  config: Config,
  clock: Clock,
  pending?: { calls: number },
): Promise<Dispatchers> {
  const { Agent } = await import('undici')
  const { guardedConnector } = await import('../net/ssrf-guard.ts')
  // Over HTTP/2 a broken connection would fail all runs that share it.
  const connections = { allowH2: false, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }
  const connect = guardedConnector({ policy: targetPolicy(config) })
  const shared = { clock, timeoutMs: config.modelTimeoutMs, ...(pending ? { pending } : {}) }
  return {
    trusted: { dispatcher: new Agent(connections), ...shared },
    guarded: { dispatcher: new Agent({ ...connections, connect }), ...shared },
  }
}
