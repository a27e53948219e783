import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Session } from '../../server/chat/schema.ts'
import { describeOnDatabase } from '../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../helpers/product.ts'
import { useProduct } from '../helpers/use-product.ts'

/** Commas, double quotes, UTF-8, from the first line, and “Format quoted field as text”. */
const IMPORT = 'Text - txt - csv (StarCalc):44,34,76,1,,0,true'
const TURKISH = 'İğüşöçı Ünal'
const FORMULA = '=HYPERLINK("http://evil.example","x")'

describeOnDatabase('the files of the product, in LibreOffice', (database) => {
  const product = useProduct(database)
  let own: TestWorkspace

  beforeAll(async () => {
    own = await addWorkspace(product)
    for (const [name, interest] of [
      [TURKISH, '-2+3'],
      [FORMULA, '@SUM(A1)'],
    ]) {
      const token = await addVisitor(product, own)
      const body = { tenant_id: own.tenantId }
      const session = await product.call<Session>('/api/v1/chatbot/sessions', { token, body })
      await product.call(`/api/v1/chatbot/sessions/${session.body.session_id}/lead`, {
        token,
        body: { name, interest, phone: '0532 123 45 67', email: 'a@example.com' },
      })
    }
  })

  /** Opens a CSV file as somebody would, and returns the sheet that it became. */
  const open = async (csv: string): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'sohbet-sheet-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
    await writeFile(join(folder, 'leads.csv'), csv)
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`
    const convert = ['--convert-to', 'fods', '--outdir', folder, join(folder, 'leads.csv')]
    const args = [profile, '--headless', `--infilter=${IMPORT}`, ...convert]
    await promisify(execFile)(process.env.TEST_SOFFICE ?? 'soffice', args)
    return readFile(join(folder, 'leads.fods'), 'utf8')
  }

  test('leads keep the plus of their phone, their letters, and run nothing', async () => {
    const { text } = await product.call('/api/v1/leads.csv', { token: own.token })
    const sheet = await open(text)
    const cells = [
      ...sheet.matchAll(/<table:table-cell[^>]*value-type="(\w+)"[^>]*>\s*<text:p>([^<]*)/g),
    ]
    const typed = cells.map(([, type, content]) => `${type} ${content}`)
    expect(typed.filter((cell) => cell.includes('905321234567'))).toEqual([
      'string +905321234567',
      'string +905321234567',
    ])
    expect(typed).toContain(`string ${TURKISH}`)
    expect(typed).toContain(
      'string &apos;=HYPERLINK(&quot;http://evil.example&quot;,&quot;x&quot;)',
    )
    expect(typed).toContain('string &apos;@SUM(A1)')
    expect(typed).toContain('string &apos;-2+3')
    expect(sheet).not.toContain('table:formula')
  })
})
