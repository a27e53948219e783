import type { Prompt } from '../../../server/prompts/schema.ts'
import type { Me } from '../../app/api/session.ts'
import type { Words } from '../../locales/en/prompts.ts'

/** The order of plans; the three Pro plans stand side by side. */
const RANKS: Record<Prompt['min_plan'], number> = {
  starter: 0,
  klinik_pro: 1,
  ajans_pro: 1,
  eticaret_pro: 1,
  enterprise: 2,
}

/** Returns why a prompt cannot run here, in a few words; `undefined` when it can. */
export function obstacleOf(prompt: Prompt, me: Me, words: Words): string | undefined {
  if (RANKS[me.user.plan] < RANKS[prompt.min_plan]) {
    return words.needsPlan(words.plans[prompt.min_plan])
  }
  const { unavailable_reason: reason } = prompt
  return reason === undefined ? undefined : words.needs[reason]
}

/** Returns what a run costs, as far as it is known before. */
export function costOf(prompt: Prompt, words: Words, show: (credits: number) => string): string {
  const { credits_cost: credits, kind } = prompt
  if (credits === null) return words.costBot
  return kind === 'image' ? words.costImage(show(credits)) : words.cost(credits, show(credits))
}
