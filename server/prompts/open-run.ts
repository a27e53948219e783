import type { Hold } from '../credits/ledger.ts'
import type { Usage } from '../credits/usage.ts'
import type { Model } from '../models/model.ts'
import type { RequestKey } from '../platform/idempotency.ts'
import type { ResolvedPrompt } from './prompt-resolver.ts'

/** A run that is paid for in advance. */
export interface OpenRun {
  workspaceId: string
  userId: string
  /** The user and the key that the run is counted for. */
  usedBy: Pick<Usage, 'userId' | 'keyId'>
  prompt: ResolvedPrompt
  inputs: Record<string, unknown>
  /** The rendered template, and the instructions before it. */
  text: string
  instructions: string | undefined
  /** The finished text, for a model that writes none. */
  ready: string | undefined
  images: number
  maxOutputTokens: number
  /** The models to ask, the best first. */
  models: readonly Model[]
  /** The caller wants one answer: the model need not stream. */
  isWhole: boolean
  locale: string
  hold: Hold
  /** Resolves once the hold is committed; until then nothing of the run may leave the process. */
  holdCommitted: Promise<Hold>
  key: RequestKey | undefined
  requestId: string
  startedAt: number
}
