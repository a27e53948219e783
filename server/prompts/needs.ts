import type { Context } from '../context.ts'
import { embeddedModel } from '../models/embedded/embedded-model.ts'
import type { Prompt, PromptKind } from './schema.ts'

/** Returns what a workspace lacks to run a prompt. */
export type NeedsOf = (prompt: { kind: PromptKind; hasTask: boolean }) => Prompt['needs']

/** Reads the models of a workspace; prompts with a task run on the embedded one. */
export async function readNeeds(ctx: Context, workspaceId: string): Promise<NeedsOf> {
  const models = await ctx.models.candidates(workspaceId)
  const remote = models.filter((model) => model !== embeddedModel)
  const draws = remote.some(({ defaults }) => !defaults || defaults.image !== undefined)
  const writes = remote.some(({ defaults }) => !defaults || defaults.text !== undefined)
  return ({ kind, hasTask }) => {
    if (kind === 'image') return draws ? null : 'image_model'
    return writes || hasTask ? null : 'model'
  }
}
