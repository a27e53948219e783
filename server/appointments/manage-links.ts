import type { Context, Transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { constantTimeEqual } from '../lib/constant-time.ts'
import { type AppointmentRow, findAppointment } from './store.ts'

/** Returns the signed link to the page that moves or cancels an appointment; valid until its end. */
export function manageLink(ctx: Context | Transaction, row: AppointmentRow): string {
  const signature = ctx.secrets.digest(signedText(row.id))
  return `${ctx.config.publicUrl ?? ''}/appointments/${row.id}/${signature}`
}

/** Returns the appointment of a signed link. Throws 404 for a wrong signature and after its end. */
export async function verifyManageLink(
  ctx: Context,
  { id, signature }: { id: string; signature: string },
): Promise<AppointmentRow> {
  const isSigned = ctx.secrets
    .digests(signedText(id))
    .some((digest) => constantTimeEqual(signature, digest))
  const row = isSigned ? await findAppointment(ctx.db, id) : undefined
  if (!row || row.end_at <= ctx.now()) {
    throw new AppError('not_found', 'This appointment does not exist, or it is over.')
  }
  return row
}

function signedText(id: string): string {
  return `appointment:${id}`
}
