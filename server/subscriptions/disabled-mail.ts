import type { Transaction } from '../context.ts'
import { en } from '../locales/subscription.en.ts'
import { tr } from '../locales/subscription.tr.ts'
import { queueMail } from '../mail/mail.ts'
import { listManagers } from '../platform/auth/store.accounts.ts'
import { findWorkspace } from '../platform/auth/store.ts'

/** Queues a mail to the managers of the workspace about a disabled subscription. */
export async function sendDisabledMail(
  tx: Transaction,
  subscription: { id: string; workspace_id: string; url: string },
  why: 'gone' | 'exhausted',
): Promise<void> {
  const { id, workspace_id: workspaceId, url } = subscription
  const workspace = await findWorkspace(tx.db, workspaceId)
  const strings = /^tr\b/i.test(workspace?.locale ?? '') ? tr : en
  for (const { name, email } of await listManagers(tx.db, workspaceId)) {
    // Paths and queries of webhook URLs often hold secrets of the receiver.
    const values = { id, host: new URL(url).host, name: name.replaceAll(/\s+/g, ' ').trim() }
    await queueMail(tx, {
      workspaceId,
      to: email,
      subject: strings.subject(values),
      text: strings[why](values),
    })
  }
}
