import * as actions from './actions/schema.ts'
import * as analytics from './analytics/schema.ts'
import * as appointments from './appointments/schema.ts'
import * as chat from './chat/schema.ts'
import * as credits from './credits/schema.ts'
import * as doctor from './doctor/schema.ts'
import * as evaluation from './evaluation/schema.ts'
import * as inbox from './inbox/schema.ts'
import * as integrations from './integrations/schema.ts'
import * as knowledge from './knowledge/schema.ts'
import * as leads from './leads/schema.ts'
import * as live from './live/schema.ts'
import * as notifications from './notifications/schema.ts'
import * as operator from './operator/schema.ts'
import * as overview from './overview/schema.ts'
import * as platform from './platform/schema.ts'
import * as account from './platform/account/schema.ts'
import * as presence from './presence/schema.ts'
import * as privacy from './privacy/schema.ts'
import * as prompts from './prompts/schema.ts'
import * as push from './notifications/push/schema.ts'
import * as quotas from './quotas/schema.ts'
import * as rules from './rules/schema.ts'
import * as setup from './setup/schema.ts'
import * as subscriptions from './subscriptions/schema.ts'
import * as tenants from './tenants/schema.ts'
import * as workspaces from './workspaces/schema.ts'

/** Every exported schema of a slice: a component of the API description, by its name. */
export const NAMED_SCHEMAS: Readonly<Record<string, unknown>> = {
  ...actions,
  ...analytics,
  ...appointments,
  ...chat,
  ...credits,
  ...doctor,
  ...evaluation,
  ...inbox,
  ...integrations,
  ...knowledge,
  ...leads,
  ...live,
  ...notifications,
  ...operator,
  ...overview,
  ...platform,
  ...account,
  ...presence,
  ...privacy,
  ...prompts,
  ...push,
  ...quotas,
  ...rules,
  ...setup,
  ...subscriptions,
  ...tenants,
  ...workspaces,
}
