import type { Context } from '../context.ts'
import { BLOCK_MESSAGES, checkTarget, targetPolicy } from '../net/target.ts'
import { type FieldError, invalidFields } from '../http/errors.ts'
import { PROVIDERS } from '../models/providers.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import type {
  EmbeddingSettings,
  ModelChoice,
  NewEmbeddingChoice,
  NewModelChoice,
  SettingsPatch,
} from './schema.ts'
import type { EmbeddingChoiceRow, StoredChoice } from './store.ts'

/** The encryption context that binds a key to its workspace. */
const contextOf = (workspaceId: string): string => `${workspaceId}:model`

/** Decrypts the key of a choice. Throws when it was encrypted with a `SECRET_KEY` that is gone. */
export function decryptKey(
  secrets: Secrets,
  workspaceId: string,
  choice: StoredChoice,
): string | undefined {
  if (choice.api_key === null) return undefined
  return secrets.decrypt(choice.api_key, contextOf(workspaceId))
}

/**
 * The choices to store after a patch; undefined for a patch without models. A key that is left out
 * stays only with the address that it was given for. Throws 422 for an address that no customer may
 * choose.
 */
export function mergeChoices(
  ctx: Pick<Context, 'config' | 'secrets'>,
  workspaceId: string,
  before: readonly StoredChoice[],
  { model, fallback_models: fallbacks }: SettingsPatch,
): StoredChoice[] | undefined {
  if (model === undefined && fallbacks === undefined) return undefined
  const errors: FieldError[] = []
  const policy = targetPolicy(ctx.config)
  const toStore = (wanted: NewModelChoice, path: string): StoredChoice => {
    const address = chosenUrl(wanted)
    const checked = address === null ? undefined : checkTarget(address, policy)
    if (checked?.ok === false) {
      errors.push({ path: `${path}/base_url`, message: BLOCK_MESSAGES[checked.refusal] })
    }
    const baseUrl = checked?.ok ? checked.url.href : null
    const same = before.find(
      ({ provider, base_url }) => provider === wanted.provider && base_url === baseUrl,
    )
    const key = wanted.api_key
    return {
      provider: wanted.provider,
      base_url: baseUrl,
      model: wanted.model ?? null,
      image_model: wanted.image_model ?? null,
      api_key:
        key === undefined
          ? (same?.api_key ?? null)
          : key && ctx.secrets.encrypt(key, contextOf(workspaceId)),
    }
  }
  const [first, ...rest] = before
  const main = model === undefined ? first : model && toStore(model, '/model')
  const others = fallbacks?.map((each, at) => toStore(each, `/fallback_models/${at}`)) ?? rest
  if (errors.length > 0) throw invalidFields(errors)
  return main ? [main, ...others] : others
}

/** The address that a choice stands for; null for a local provider. */
function chosenUrl({ provider, base_url }: NewModelChoice): string | null {
  const chosen = PROVIDERS[provider]
  return chosen.isLocal ? null : (base_url ?? chosen.defaultBaseUrl)
}

/** Serializes a choice for its workspace, without the key. */
export function serializeChoice(choice: StoredChoice): ModelChoice {
  const { provider, base_url, model, image_model, api_key } = choice
  return { provider, base_url, model, image_model, has_api_key: api_key !== null }
}

/** The encryption context of an embedding model's key. */
const embeddingContextOf = (workspaceId: string): string => `${workspaceId}:embedding`

/** Decrypts the key of an embedding model. */
export function decryptEmbeddingKey(
  secrets: Secrets,
  { workspace_id, api_key }: EmbeddingChoiceRow,
): string | undefined {
  return api_key === null ? undefined : secrets.decrypt(api_key, embeddingContextOf(workspace_id))
}

/**
 * The embedding model to store. A key that is left out stays only with its address. Throws 422 for an
 * address that no customer may choose.
 */
export function mergeEmbedding(
  ctx: Pick<Context, 'config' | 'secrets' | 'now'>,
  workspaceId: string,
  before: EmbeddingChoiceRow | undefined,
  { base_url, model, api_key: key }: NewEmbeddingChoice,
): EmbeddingChoiceRow {
  const checked = checkTarget(base_url, targetPolicy(ctx.config))
  if (!checked.ok) {
    const message = BLOCK_MESSAGES[checked.refusal]
    throw invalidFields([{ path: '/embedding/base_url', message }])
  }
  const address = checked.url.href
  const kept = before?.base_url === address ? before.api_key : null
  return {
    workspace_id: workspaceId,
    base_url: address,
    model,
    api_key:
      key === undefined ? kept : key && ctx.secrets.encrypt(key, embeddingContextOf(workspaceId)),
    updated_at: ctx.now(),
  }
}

/** Serializes an embedding model for its workspace, without the key. */
export function serializeEmbedding(row: EmbeddingChoiceRow): EmbeddingSettings {
  return { base_url: row.base_url, model: row.model, has_api_key: row.api_key !== null }
}
