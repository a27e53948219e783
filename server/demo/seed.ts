import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, transaction } from '../context.ts'
import { addTenant, findTenant } from '../tenants/tenants.ts'
import { type StoredChoice, saveChoices } from '../workspaces/store.ts'
import { createWorkspace } from '../workspaces/workspaces.ts'
import { AppError } from '../http/errors.ts'
import { addDocument } from '../knowledge/documents/documents.ts'
import { newId } from '../lib/ids.ts'
import type { Passwords } from '../platform/auth/passwords.ts'
import { countUsers, findUserByEmail, insertUser } from '../platform/auth/store.ts'

export const DEMO_TENANT = 'demo'
const DEMO_PLAN = 'eticaret_pro'
const ZONE = 'Europe/Istanbul'
const EMBEDDED: StoredChoice = {
  provider: 'embedded',
  base_url: null,
  model: null,
  image_model: null,
  api_key: null,
}
const DOCUMENTS = join(import.meta.dirname, 'documents')

/** Creates the demo shop: a workspace without members, its tenant and documents. Idempotent. */
export async function seedDemo(ctx: Context): Promise<void> {
  if (await findTenant(ctx.db, DEMO_TENANT)) return
  const { workspace } = await transaction(ctx, async (tx) => {
    const opened = await createWorkspace(tx, {
      name: 'Demo',
      plan: DEMO_PLAN,
      locale: 'tr',
      timeZone: ZONE,
      monthlyCredits: undefined,
      owner: undefined,
    })
    await addTenant(tx, opened.workspace, {
      tenant_id: DEMO_TENANT,
      name: 'Fincan',
      sector: 'e-commerce',
      locale: 'tr',
      theme: { color: '#0f766e' },
      quick_replies: ['Kargo ücreti ne kadar?', 'İade süresi kaç gün?', 'When are you open?'],
    })
    // Strangers talk to the demo: an installation's paid model must not answer them.
    await saveChoices(tx.db, opened.workspace.id, [EMBEDDED], tx.now())
    return opened
  })
  for (const file of readdirSync(DOCUMENTS).toSorted()) {
    const content = readFileSync(join(DOCUMENTS, file), 'utf8')
    const title = /^# (.+)$/m.exec(content)?.[1] ?? file
    const place = { workspaceId: workspace.id, tenantId: DEMO_TENANT }
    const url = `${ctx.config.publicUrl ?? ''}/demo#${file.replace('.md', '')}`
    await addDocument(ctx, place, { kind: 'markdown', title, content, url })
  }
}

/**
 * Creates the owner from the settings unless the e-mail is taken: in the demo workspace while it has
 * no members, else in a new workspace. Idempotent, and safe in several processes at once.
 */
export async function seedOwner(ctx: Context, passwords: Passwords): Promise<void> {
  const { owner } = ctx.config
  if (!owner) return
  const email = owner.email.toLowerCase()
  if (await findUserByEmail(ctx.db, email)) return
  const passwordHash = await passwords.hash(owner.password)
  const name = email.split('@')[0] ?? email
  const made = transaction(ctx, async (tx) => {
    const demo = await findTenant(tx.db, DEMO_TENANT)
    if (demo && (await countUsers(tx.db, demo.workspace_id)) === 0) {
      await insertUser(tx.db, {
        id: newId('usr'),
        workspace_id: demo.workspace_id,
        email,
        name,
        role: 'owner',
        password_hash: passwordHash,
        created_at: tx.now(),
      })
      return
    }
    await createWorkspace(tx, {
      name: `${name}'s workspace`,
      plan: DEMO_PLAN,
      locale: 'tr',
      timeZone: ZONE,
      monthlyCredits: undefined,
      owner: { email, name, passwordHash },
    })
  })
  await made.catch((error: unknown) => {
    // Another process, started at the same moment, created the owner first.
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
  })
}
