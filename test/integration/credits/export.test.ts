import { expect, test } from 'vitest'
import { transaction } from '../../../server/context.ts'
import { holdCredits, settleHold } from '../../../server/credits/ledger.ts'
import type { LedgerRow } from '../../../server/credits/schema.ts'
import { DAY_MS } from '../../../server/lib/durations.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { buy, expectExact, freshToken, readLedger } from './ledger.ts'

const HEADER =
  'ledger_id,type,amount,source,monthly_after,addons_after,held_after,run_id,session_id,reference,created_at,billed_input_tokens,billed_output_tokens'

describeOnBothDatabases('the ledger as a file', (database) => {
  const clock = new TestClock(Date.UTC(2027, 5, 15, 10))

  const product = useProduct(database, { clock })

  const run = ({ id }: TestWorkspace) =>
    transaction(product.ctx, async (tx) => settleHold(tx, await holdCredits(tx, id, 1_000), 1_000))

  async function read(workspace: TestWorkspace, file: string) {
    const token = await freshToken(product, workspace)
    return product.call(`/api/v1/credits/ledger.${file}`, { token })
  }

  async function linesOf(workspace: TestWorkspace, query = ''): Promise<LedgerRow[]> {
    const { text } = await read(workspace, `jsonl${query}`)
    return text
      .split('\n')
      .slice(0, -1)
      .map((line): LedgerRow => JSON.parse(line))
  }

  test('has a header, one line for each row, and nothing that a spreadsheet would run', async () => {
    const workspace = await addWorkspace(product, { credits: 5 })
    await buy(product, workspace, 2.5, '=HYPERLINK("https://example.com";"click")')
    await run(workspace)
    const { headers, text } = await read(workspace, 'csv')
    expect(headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/)
    expect(headers.get('content-disposition')).toBe('attachment; filename="ledger.csv"')
    const [header, ...lines] = text.split('\r\n').slice(0, -1)
    expect(header).toBe(HEADER)
    expect(lines.length).toBe(5)
    expect(lines[1]).toMatch(
      /^ldg_\w+,addon,2\.5,addon,5,2\.5,0,,,"'=HYPERLINK\(""https:\/\/example\.com"";""click""\)",2027-06-15T10:00:00\.000Z,,$/,
    )
    expect(lines[2]).toMatch(/^ldg_\w+,hold,-1,monthly,5,2\.5,1,run_\w+,,,/)
  })

  test('keeps the letters in Excel where a person saves it, and the columns of a program', async () => {
    const workspace = await addWorkspace(product)
    const token = await freshToken(product, workspace)
    const begin = async (headers: Record<string, string>) => {
      const response = await fetch(`${product.url}/api/v1/credits/ledger.csv`, { headers })
      const bytes = Buffer.from(await response.arrayBuffer())
      return bytes.subarray(0, 12).toString('latin1')
    }
    expect(await begin({ authorization: `Bearer ${token}` })).toBe('ledger_id,ty')
    expect(await begin({ cookie: `svc_session=${token}` })).toBe('\xEF\xBB\xBFledger_id')
  })

  test('has every row in the order in which they were written, however many there are', async () => {
    const workspace = await addWorkspace(product, { credits: 2_000 })
    for (let round = 0; round < 12; round += 1) {
      await Promise.all(Array.from({ length: 30 }, () => run(workspace)))
    }
    const rows = await linesOf(workspace)
    expect(rows.length).toBe(1 + 360 * 3)
    expect(rows).toEqual(await readLedger(product, workspace))
    expect((await read(workspace, 'csv')).text.split('\r\n').length).toBe(rows.length + 2)
  })

  test('holds together while runs go on', async () => {
    const workspace = await addWorkspace(product, { credits: 3_000 })
    for (let round = 0; round < 12; round += 1) {
      await Promise.all(Array.from({ length: 30 }, () => run(workspace)))
    }
    const writing = Promise.all(Array.from({ length: 60 }, () => run(workspace)))
    const exports = await Promise.all([1, 2, 3].map(() => linesOf(workspace)))
    await writing
    for (const rows of exports) {
      let balance = 0
      for (const row of rows) {
        balance += Math.round(row.amount * 1_000)
        expect(Math.round((row.monthly_after - row.held_after) * 1_000)).toBe(balance)
      }
      expect(rows.length).toBeGreaterThanOrEqual(1 + 360 * 3)
    }
    await expectExact(product, workspace)
  })

  test('is cut to days, to instants and to a type, and so is the list', async () => {
    const workspace = await addWorkspace(product, { credits: 50 })
    for (let day = 0; day < 4; day += 1) {
      await run(workspace)
      await buy(product, workspace, 1, `day-${day}`)
      clock.move(DAY_MS)
    }
    const token = await freshToken(product, workspace)
    const referencesOf = async (query: string) => {
      const filed = await linesOf(workspace, `?type=addon&${query}`)
      const listed: LedgerRow[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const path: string = `/api/v1/credits/ledger?limit=1&type=addon&${query}${cursor && `&cursor=${cursor}`}`
        const { body }: { body: { data: LedgerRow[]; next_cursor: string | null } } =
          await product.call(path, { token })
        listed.push(...body.data)
        cursor = body.next_cursor
      }
      expect(listed).toEqual(filed.toReversed())
      return filed.map(({ reference }) => reference)
    }
    expect(await referencesOf('')).toEqual(['day-0', 'day-1', 'day-2', 'day-3'])
    expect(await referencesOf('from=2027-06-16')).toEqual(['day-1', 'day-2', 'day-3'])
    expect(await referencesOf('from=2027-06-16&to=2027-06-17')).toEqual(['day-1', 'day-2'])
    expect(await referencesOf('to=2027-06-16T10:00:00Z')).toEqual(['day-0'])
    expect(await referencesOf('from=2027-06-16T13:00:00%2B03:00')).toEqual([
      'day-1',
      'day-2',
      'day-3',
    ])
    expect(await referencesOf('from=2028-01-01')).toEqual([])
    const settled = await linesOf(workspace, '?type=settle&from=2027-06-17&to=2027-06-17')
    expect(settled.map(({ type, amount }) => [type, amount])).toEqual([['settle', -1]])
    for (const query of ['type=spent', 'from=1', 'limit=5', 'from=2027-06-17&to=2027-06-16']) {
      const { status } = await product.call(`/api/v1/credits/ledger.csv?${query}`, { token })
      expect([query, status]).toEqual([query, 422])
    }
    for (const cursor of ['xx', Buffer.from('12:ldg_1').toString('base64url')]) {
      const path = `/api/v1/credits/ledger?cursor=${cursor}`
      expect((await product.call(path, { token })).status).toBe(422)
    }
  })
})
