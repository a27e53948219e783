import type { Context, Transaction } from '../../context.ts'
import { isAnybodyOnline } from '../../presence/store.ts'
import { officeStatusAt } from '../../tenants/office-hours.ts'
import type { TenantRow } from '../../tenants/tenants.ts'

/**
 * The promise to a visitor who asks for a person: `online`, an operator takes conversations now;
 * `open`, the team is notified in its office hours; `closed`, nobody answers before `opensAt`.
 */
export type Staffing =
  | { kind: 'online' }
  | { kind: 'open' }
  | { kind: 'closed'; opensAt: number | undefined }

/** Returns the staffing of a site now. An operator who is online counts outside office hours too. */
export async function findStaffing(
  ctx: Context | Transaction,
  tenant: TenantRow,
): Promise<Staffing> {
  const now = ctx.now()
  if (await isAnybodyOnline(ctx.db, tenant.workspace_id, now)) return { kind: 'online' }
  const office = officeStatusAt(tenant, now)
  return office.isOpen ? { kind: 'open' } : { kind: 'closed', opensAt: office.opensAt }
}
