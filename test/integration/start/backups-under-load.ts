import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { openStorage } from '../../../server/storage/open.ts'
import type { DatabasePlace } from '../../helpers/databases.ts'
import { sohbet, startTestProcess } from '../../helpers/process.ts'
import { type HttpProduct, addVisitor, callOver } from '../../helpers/product.ts'
import { type ModelServer, startModelServer } from '../../helpers/servers/model-server.ts'
import { NAME, modelSettings, openPromptWorkspace } from '../prompts/setup.ts'

const CALLERS = 3
const ANSWERS_BETWEEN = 10
const POLL = { timeout: 60_000, interval: 20 }

/** Each selects what must not be there. */
const CONTRADICTIONS = {
  'a balance that its ledger does not explain': `
    select balances.workspace_id from balances left join ledger using (workspace_id)
    group by balances.workspace_id, monthly, addons, held
    having monthly + addons - held <> coalesce(sum(ledger.amount), 0)`,
  'held credits that are not the sum of the holds': `
    select balances.workspace_id from balances left join holds using (workspace_id)
    group by balances.workspace_id, held having held <> coalesce(sum(holds.amount), 0)`,
  'a hold of the ledger that is neither open nor released': `
    select run_id from ledger where type = 'hold'
      and (run_id in (select id from holds))
        = (run_id in (select run_id from ledger where type = 'release'))`,
  'an open hold that is not in the ledger': `
    select id from holds where id not in (select run_id from ledger where type = 'hold')`,
  'a run without its hold or its settlement': `
    select id from runs where case state
      when 'running' then id not in (select id from holds)
      when 'done' then id not in (select run_id from ledger where type = 'settle')
      else id in (select id from holds) end`,
  'an answer that was not paid for, or a payment without its answer': `
    select 1 as wrong from (select count(*) as n from messages where role = 'assistant') as answers,
      (select count(*) as n from ledger where type = 'settle' and session_id is not null) as paid
    where answers.n <> paid.n`,
  'a run that was paid for twice': `
    select run_id from ledger where type = 'settle' group by run_id having count(*) > 1`,
}

/** The places in which the product stores, and in which its backups are restored. */
interface Installation {
  place: DatabasePlace
  createEmpty: () => Promise<DatabasePlace>
}

/**
 * Takes backups one after the other while visitors ask and prompts run. Returns how many restored to a
 * consistent state with everything that was acknowledged before they began; throws for any other.
 */
export async function countConsistentBackups(
  { place, createEmpty }: Installation,
  count: number,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-backups-'))
  const model = await startModelServer()
  try {
    const backups = await backUpUnderLoad(place, { model, folder, count })
    let openHolds = 0
    for (const { file, turns, runs } of backups) {
      const target = await createEmpty()
      const restored = await sohbet(target, 'restore', file)
      expect(restored).toMatchObject({ code: 0 })
      const stored = await examine(target)
      expect(stored.turns).toBeGreaterThanOrEqual(turns)
      expect(stored.runs).toBeGreaterThanOrEqual(runs)
      openHolds += stored.holds
    }
    // Backups of a product that does nothing would prove nothing.
    expect(openHolds).toBeGreaterThan(0)
    return backups.length
  } finally {
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Acknowledged {
  turns: number
  runs: number
}

async function backUpUnderLoad(
  place: DatabasePlace,
  { model, folder, count }: { model: ModelServer; folder: string; count: number },
): Promise<(Acknowledged & { file: string })[]> {
  const running = await startTestProcess(place, {
    ...modelSettings(model),
    ALLOW_PRIVATE_TARGETS: 'true',
    LIMIT_EXECUTE: '0',
  })
  try {
    const { url } = running
    const load = await startLoad({ url, call: (path, call = {}) => callOver(url, path, call) })
    // Each answer waits for the next question: something is always under way.
    let next = Promise.withResolvers<undefined>()
    model.act = async () => {
      next.resolve(undefined)
      next = Promise.withResolvers()
      await next.promise
      return { text: ['Hello'] }
    }
    const backups: (Acknowledged & { file: string })[] = []
    while (backups.length < count) {
      const { turns, runs } = load.answered
      await expect.poll(() => load.answered.turns, POLL).toBeGreaterThan(turns + ANSWERS_BETWEEN)
      await expect.poll(() => load.answered.runs, POLL).toBeGreaterThan(runs + ANSWERS_BETWEEN)
      const before = { ...load.answered }
      const file = join(folder, `${backups.length}.sohbet`)
      expect(await sohbet(place, 'backup', file)).toMatchObject({ code: 0 })
      backups.push({ ...before, file })
    }
    const stopped = load.stop()
    model.act = { text: ['Hello'] }
    next.resolve(undefined)
    await stopped
    return backups
  } finally {
    await running.end('SIGKILL')
  }
}

interface Load {
  answered: Acknowledged
  stop(): Promise<unknown>
}

/** Visitors ask, and an owner runs prompts, each one call after the other. */
async function startLoad(product: HttpProduct): Promise<Load> {
  const workspace = await openPromptWorkspace(product, { credits: 1_000_000 })
  const answered = { turns: 0, runs: 0 }
  const over = new AbortController()
  const repeat = async (kind: keyof Acknowledged, path: string, token: string, body: object) => {
    while (!over.signal.aborted) {
      const { status, text } = await product.call(path, { token, body })
      expect([status, text]).toEqual([200, expect.anything()])
      answered[kind] += 1
    }
  }
  const callers = Array.from({ length: CALLERS }, async () => {
    const visitor = await addVisitor(product, workspace)
    const question = { tenant_id: workspace.tenantId, message: 'Hello?' }
    const prompt = { prompt_id: 'greeting', ...NAME }
    await Promise.all([
      repeat('turns', '/api/v1/chatbot/message', visitor, question),
      repeat('runs', '/api/v1/prompts/execute', workspace.token, prompt),
    ])
  })
  const all = Promise.all(callers)
  return {
    answered,
    stop() {
      over.abort()
      return all
    },
  }
}

/** Expects no contradiction in a restored database, and counts what it has. */
async function examine(place: DatabasePlace): Promise<Acknowledged & { holds: number }> {
  const storage = await openStorage(place, Date.now())
  const { db } = storage
  try {
    for (const [name, text] of Object.entries(CONTRADICTIONS)) {
      const { rows } = await sql.raw(text).execute(db)
      expect([name, rows]).toEqual([name, []])
    }
    const { rows } = await sql<Acknowledged & { holds: number }>`
      select (select count(*) from messages where role = 'assistant') as turns,
        (select count(*) from runs where state = 'done') as runs,
        (select count(*) from holds) as holds`.execute(db)
    const [counts] = rows
    if (!counts) throw new Error('The database counted nothing.')
    return counts
  } finally {
    await storage.close()
  }
}
