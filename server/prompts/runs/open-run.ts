import type { Hold } from '../../credits/ledger.ts'
import type { UsageCount } from '../../credits/usage.ts'
import type { Model } from '../../models/model.ts'
import type { RequestKey } from '../../platform/idempotency.ts'
import type { ResolvedPrompt } from '../prompt-resolver.ts'

/** A run whose cost is reserved. */
export interface OpenRun {
  workspaceId: string
  userId: string
  /** The user and the key whose usage counts the run. */
  usedBy: Pick<UsageCount, 'userId' | 'keyId'>
  prompt: ResolvedPrompt
  inputs: Record<string, unknown>
  /** The rendered template, and the instructions before it. */
  text: string
  instructions: string | undefined
  /** The fallback text, for a model that writes none. */
  ready: string | undefined
  images: number
  maxOutputTokens: number
  /** The models in failover order. */
  models: readonly Model[]
  /** True for a JSON response, for which the model need not stream. */
  isWhole: boolean
  locale: string
  hold: Hold
  /** Resolves once the hold is committed; no piece may leave the process before. */
  holdCommitted: Promise<Hold>
  key: RequestKey | undefined
  requestId: string
  startedAt: number
}
