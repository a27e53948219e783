import type { IncomingHttpHeaders } from 'node:http'
import { type Context, transaction } from '../context.ts'
import { isoTime } from '../http/pagination.ts'
import { MINUTE_MS } from '../lib/durations.ts'
import type { Installation } from './schema.ts'
import { listOrigins, saveOrigin } from './store.ts'
import type { TenantRow } from './tenants.ts'

/** The pages of a site; others that were seen less recently give way. */
const MAX_ORIGINS = 50
const WRITE_INTERVAL_MS = MINUTE_MS
/** Sites that this process remembers within a minute. */
const MAX_TENANTS = 10_000
const MAX_ORIGIN_LENGTH = 255

/**
 * Notes the origins of pages with the tag, from the widget's request for its config. At most one write
 * a minute for each origin, and `MAX_ORIGINS` for each site: anybody can send any origin.
 */
export class SeenOrigins {
  readonly #ctx: Context
  /** Origins noted in this minute, by site. */
  #noted = new Map<string, Set<string>>()
  #minute = 0

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** Notes the page of a request. Its answer does not wait for the write, nor fail with it. */
  note(tenant: TenantRow, headers: IncomingHttpHeaders): void {
    const origin = originOf(headers)
    if (origin === undefined || !this.#isNew(tenant.id, origin)) return
    void this.#write(tenant, origin)
  }

  #isNew(tenantId: string, origin: string): boolean {
    const minute = Math.floor(this.#ctx.now() / WRITE_INTERVAL_MS)
    if (minute !== this.#minute || this.#noted.size >= MAX_TENANTS) {
      this.#minute = minute
      this.#noted = new Map()
    }
    const noted = this.#noted.get(tenantId) ?? new Set()
    if (noted.has(origin) || noted.size >= MAX_ORIGINS) return false
    this.#noted.set(tenantId, noted.add(origin))
    return true
  }

  async #write(tenant: TenantRow, origin: string): Promise<void> {
    const place = { tenantId: tenant.id, workspaceId: tenant.workspace_id }
    try {
      await transaction(this.#ctx, (tx) =>
        saveOrigin(tx.db, place, { origin, now: tx.now(), max: MAX_ORIGINS }),
      )
    } catch (error) {
      this.#ctx.log.warn(
        { event: 'tenants.origin_failed', err: error, tenant: tenant.id },
        'noting the origin of a page failed',
      )
    }
  }
}

/** Returns the origin of a page on the web. A page of our own sends none with a `GET`, but a referrer. */
function originOf({ origin, referer }: IncomingHttpHeaders): string | undefined {
  const address = origin ?? referer
  if (address === undefined || !URL.canParse(address)) return undefined
  const page = new URL(address)
  const isWeb = page.protocol === 'https:' || page.protocol === 'http:'
  return isWeb && page.origin.length <= MAX_ORIGIN_LENGTH ? page.origin : undefined
}

/** Returns where a site's tag was seen, the most recent page first. */
export async function readInstallation(ctx: Context, tenant: TenantRow): Promise<Installation> {
  const place = { tenantId: tenant.id, workspaceId: tenant.workspace_id }
  const origins = await listOrigins(ctx.db, place)
  const first = origins.map(({ first_seen_at: at }) => at)
  const last = origins[0]?.last_seen_at
  return {
    seen: origins.length > 0,
    first_seen_at: origins.length > 0 ? isoTime(Math.min(...first)) : null,
    last_seen_at: last === undefined ? null : isoTime(last),
    origins: origins.map(({ origin, first_seen_at, last_seen_at }) => ({
      origin,
      first_seen_at: isoTime(first_seen_at),
      last_seen_at: isoTime(last_seen_at),
    })),
  }
}
