import type { Transaction } from '../context.ts'
import type { EventEnvelope } from '../events.ts'
import { mailStrings, queueMail } from '../mail/mail.ts'
import { listManagers } from '../platform/auth/store.accounts.ts'
import { type WorkspaceRow, getWorkspace } from '../platform/auth/store.ts'

/** Notifies the managers of a workspace that it was closed, by whom, and when it is erased. */
export async function mailClosing(
  tx: Transaction,
  workspace: WorkspaceRow,
  { by, at }: { by: string; at: string },
): Promise<void> {
  const strings = mailStrings(workspace.locale).workspaceClosing
  for (const { name, email } of await listManagers(tx.db, workspace.id)) {
    await queueMail(tx, {
      workspaceId: workspace.id,
      to: email,
      subject: strings.subject({ workspace: oneLine(workspace.name) }),
      text: strings.text({
        name: oneLine(name),
        actor: oneLine(by),
        workspace: oneLine(workspace.name),
        date: formatDay(at, workspace),
        link: `${tx.config.publicUrl ?? ''}/panel/settings`,
      }),
    })
  }
}

/** Notifies the managers of a workspace that the balance is below their threshold. */
export async function mailCreditWarning(
  tx: Transaction,
  _event: 'credits.warning',
  { workspaceId, data }: EventEnvelope<'credits.warning'>,
): Promise<void> {
  const workspace = await getWorkspace(tx.db, workspaceId)
  const strings = mailStrings(workspace.locale).creditWarning
  const form = new Intl.NumberFormat(workspace.locale)
  for (const { name, email } of await listManagers(tx.db, workspaceId)) {
    await queueMail(tx, {
      workspaceId,
      to: email,
      subject: strings.subject({ workspace: oneLine(workspace.name) }),
      text: strings.text({
        name: oneLine(name),
        workspace: oneLine(workspace.name),
        remaining: form.format(data.remaining),
        warning: form.format(data.warning),
        date: formatDay(data.reset_at, workspace),
        link: `${tx.config.publicUrl ?? ''}/panel/credits`,
      }),
    })
  }
}

function formatDay(at: string, { locale, time_zone: timeZone }: WorkspaceRow): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(new Date(at))
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
