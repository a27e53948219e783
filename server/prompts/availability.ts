import type { Context } from '../context.ts'
import { embeddedModel } from '../models/embedded/embedded-model.ts'
import type { Model } from '../models/model.ts'
import type { Prompt, PromptKind } from './schema.ts'

/** A prompt's requirements of a model. */
export interface ModelNeeds {
  kind: PromptKind
  /** A model that the prompt names. */
  model: string | null | undefined
  /** Whether the embedded model has a task for it. */
  hasTask: boolean
}

type Availability = Pick<Prompt, 'available' | 'unavailable_reason'>

/** Returns whether one of the workspace's models can run prompts, and what is missing. */
export async function availabilityFor(
  ctx: Context,
  workspaceId: string,
): Promise<(needs: ModelNeeds) => Availability> {
  const models = await ctx.models.candidates(workspaceId)
  return (needs) => availabilityOn(models, needs)
}

/** Returns whether one of these models can run a prompt, and what is missing. */
export function availabilityOn(models: readonly Model[], needs: ModelNeeds): Availability {
  if (models.some((model) => canRun(model, needs))) return { available: true }
  const reason = needs.kind === 'image' ? 'image_model_required' : 'model_required'
  return { available: false, unavailable_reason: reason }
}

function canRun(model: Model, { kind, model: named, hasTask }: ModelNeeds): boolean {
  if (model === embeddedModel) return kind !== 'image' && hasTask
  if (kind === 'image' && model.drawsImages === false) return false
  // A model of the embedding program says nothing of its defaults.
  if (!model.defaults || named) return true
  return (kind === 'image' ? model.defaults.image : model.defaults.text) !== undefined
}
