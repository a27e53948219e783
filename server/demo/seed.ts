import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, transaction } from '../context.ts'
import { addTenant, findTenant } from '../tenants/tenants.ts'
import { type StoredChoice, saveChoices } from '../workspaces/store.ts'
import { createWorkspace } from '../workspaces/workspaces.ts'
import { addDocument } from '../knowledge/documents/documents.ts'

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
const GREETING = {
  tr: 'Merhaba! Fincan’a hoş geldiniz. Size nasıl yardımcı olabiliriz?',
  en: 'Hello and welcome to Fincan! How can we help you?',
  de: 'Hallo und willkommen bei Fincan! Wie können wir Ihnen helfen?',
  ar: 'مرحبًا بك في فنجان! كيف يمكننا مساعدتك؟',
}
const QUICK_REPLIES = {
  tr: ['Kargo ücreti ne kadar?', 'İade süresi kaç gün?', 'Mağazanız nerede?'],
  en: ['How much is shipping?', 'How long can I return something?', 'When are you open?'],
  de: ['Was kostet der Versand?', 'Wie lange kann ich etwas zurückgeben?', 'Wo ist Ihr Laden?'],
  ar: ['كم تكلفة الشحن؟', 'كم يومًا لإرجاع المنتج؟', 'أين يقع متجركم؟'],
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
      greeting: GREETING,
      quick_replies: QUICK_REPLIES,
      synonyms: [['fincan', 'kupa', 'bardak', 'mug', 'cup']],
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
