import type { Context } from '../context.ts'
import { INSTALLATION } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { examine } from './examine.ts'
import { Diagnosis } from './schema.ts'

const doctor = {
  config: { access: INSTALLATION, pool: null },
  schema: {
    summary: 'Examine everything the installation needs, each with what to do',
    description: 'Connects to the database, Redis, the mail server and the models of the settings.',
    tags: ['Operator'],
    response: { 200: Diagnosis },
  },
} as const

/** What `npx sohbet doctor` says, from where this process runs. */
export function doctorRoutes(app: App, ctx: Context): void {
  let examining: Promise<Diagnosis> | undefined

  app.get('/api/v1/operator/doctor', doctor, () => {
    // Calls at once share one examination: it costs an answer of the model.
    examining ??= examine(ctx.config).finally(() => (examining = undefined))
    return examining
  })
}
