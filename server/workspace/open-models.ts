import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import { targetPolicy } from '../delivery/target.ts'
import type { Clock } from '../lib/clock.ts'
import type { Model } from '../models/model.ts'
import { Models, type ProviderChoice } from '../models/registry.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { Db } from '../storage/database.ts'
import { openKey } from './model-choices.ts'
import { type StoredChoice, listChoices } from './store.ts'

/** Servers that announce nothing usually close an idle connection after 5 s or much later. */
const IDLE_MS = 4_000

/**
 * The models of the installation and of its workspaces. What `MODEL_BASE_URL` names is trusted;
 * what a workspace names is reached only where webhooks might go, too.
 */
export function openModels(around: {
  db: Db
  clock: Clock
  config: Config
  secrets: Secrets
  log: FastifyBaseLogger
  own?: Model | undefined
}): Models {
  const { db, clock, config, secrets, log } = around
  const timeoutMs = config.modelTimeoutMs
  return new Models({
    clock,
    async openDispatchers() {
      const { Agent } = await import('undici')
      const { guardedConnector } = await import('../delivery/connector.ts')
      // Over HTTP/2 one connection's trouble would be that of all runs on it.
      const connections = { allowH2: false, keepAliveTimeout: IDLE_MS }
      const connect = guardedConnector({ policy: targetPolicy(config) })
      return {
        trusted: { dispatcher: new Agent(connections), clock, timeoutMs },
        guarded: { dispatcher: new Agent({ ...connections, connect }), clock, timeoutMs },
      }
    },
    own: around.own,
    installation: config.model,
    async find(workspaceId) {
      const stored = await listChoices(db, workspaceId)
      return stored.flatMap((choice) => {
        try {
          return [usable(choice, workspaceId)]
        } catch (error) {
          log.error({ err: error, workspaceId }, 'the key of a chosen model cannot be opened')
          return []
        }
      })
    },
  })

  function usable(choice: StoredChoice, workspaceId: string): ProviderChoice {
    return {
      provider: choice.provider,
      baseUrl: choice.base_url ?? undefined,
      apiKey: openKey(secrets, workspaceId, choice),
      model: choice.model ?? undefined,
      imageModel: choice.image_model ?? undefined,
    }
  }
}
