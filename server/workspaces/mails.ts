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
  for (const { name, email, locale } of await listManagers(tx.db, workspace.id)) {
    const reader = { locale: locale ?? workspace.locale, timeZone: workspace.time_zone }
    const { language, workspaceClosing: strings } = mailStrings(reader.locale)
    await queueMail(tx, {
      workspaceId: workspace.id,
      to: email,
      language,
      subject: strings.subject({ workspace: oneLine(workspace.name) }),
      text: strings.text({
        name: oneLine(name),
        actor: oneLine(by),
        workspace: oneLine(workspace.name),
        date: formatDay(at, reader),
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
  for (const { name, email, locale } of await listManagers(tx.db, workspaceId)) {
    const reader = { locale: locale ?? workspace.locale, timeZone: workspace.time_zone }
    const { language, creditWarning: strings } = mailStrings(reader.locale)
    const form = new Intl.NumberFormat(reader.locale)
    await queueMail(tx, {
      workspaceId,
      to: email,
      language,
      subject: strings.subject({ workspace: oneLine(workspace.name) }),
      text: strings.text({
        name: oneLine(name),
        workspace: oneLine(workspace.name),
        remaining: form.format(data.remaining),
        warning: form.format(data.warning),
        date: formatDay(data.reset_at, reader),
        link: `${tx.config.publicUrl ?? ''}/panel/credits`,
      }),
    })
  }
}

function formatDay(at: string, { locale, timeZone }: { locale: string; timeZone: string }): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(new Date(at))
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
