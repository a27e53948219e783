/** Types of responses that the server needs as schemas only. */
import type { z } from 'zod'
import type * as chat from '../../server/chat/schema.ts'
import type * as credits from '../../server/credits/schema.ts'
import type * as workspaces from '../../server/workspaces/schema.ts'
import type * as hooks from '../../server/integrations/schema.ts'
import type * as errors from '../../server/http/errors.ts'
import type * as platform from '../../server/platform/schema.ts'
import type * as prompts from '../../server/prompts/schema.ts'
import type * as rules from '../../server/rules/schema.ts'
import type * as subscriptions from '../../server/subscriptions/schema.ts'

/** The body of a problem response. */
export type Problem = z.infer<typeof errors.Problem>

/** A page of a list. */
export interface Page<Item> {
  data: Item[]
  next_cursor: string | null
}

export type VisitorAnswer = z.infer<typeof chat.VisitorAnswer>
export type CreditsAnswer = z.infer<typeof credits.CreditsAnswer>
export type Me = z.infer<typeof workspaces.Me>
export type Workspace = z.infer<typeof workspaces.Workspace>
export type UsagePage = z.infer<typeof credits.UsagePage>
export type CreatedIntegration = z.infer<typeof hooks.CreatedIntegration>
export type CreatedApiKey = z.infer<typeof platform.CreatedApiKey>
export type Fact = z.infer<typeof prompts.Fact>
export type Run = z.infer<typeof prompts.Run>
export type CreatedRule = z.infer<typeof rules.CreatedRule>
export type RuleTestResult = z.infer<typeof rules.RuleTestOutcome>
export type CreatedSubscription = z.infer<typeof subscriptions.CreatedSubscription>
