import type { Transaction } from '../context.ts'
import { en } from '../locales/subscription.en.ts'
import { tr } from '../locales/subscription.tr.ts'
import { queueMail } from '../mail/mail.ts'
import { findWorkspace } from '../platform/auth/store.ts'
import { listManagers } from './store.ts'

/** Tells those who manage the workspace that a subscription of theirs gets nothing any more. */
export async function sendDisabledMail(
  tx: Transaction,
  subscription: { id: string; workspace_id: string; url: string },
  why: 'gone' | 'exhausted',
): Promise<void> {
  const { id, workspace_id: workspaceId, url } = subscription
  const workspace = await findWorkspace(tx.db, workspaceId)
  const words = /^tr\b/i.test(workspace?.locale ?? '') ? tr : en
  for (const { name, email } of await listManagers(tx.db, workspaceId)) {
    // Paths and queries of webhook URLs often hold secrets of the receiver.
    const filled = { id, host: new URL(url).host, name: name.replaceAll(/\s+/g, ' ').trim() }
    await queueMail(tx, {
      workspaceId,
      to: email,
      subject: words.subject(filled),
      text: words[why](filled),
    })
  }
}
