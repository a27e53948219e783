import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { Asked } from '../server/evaluation/schema.ts'
import { judgeAnswer } from '../server/evaluation/verdict.ts'
import {
  type NamedDocument,
  QuestionsFileError,
  expectedOf,
  readQuestions,
} from './questions-file.ts'
import { LastRun, type Result, reportOf } from './report.ts'

const USAGE = 'npm run ask -- tenant questions.csv'
const MAX_TRIES = 5
const DEFAULT_RETRY_SECONDS = 5

const Settings = z.object({
  SOHBET_URL: z.url().optional(),
  PUBLIC_URL: z.url().optional(),
  SOHBET_KEY: z.string().min(1),
})
const Problem = z.object({ detail: z.string() })
const DocumentsPage = z.object({
  data: z.array(
    z.object({
      doc_id: z.string(),
      title: z.string(),
      url: z.string().nullable(),
      file_name: z.string().nullable(),
    }),
  ),
  next_cursor: z.string().nullable(),
})

/** Something the person at the terminal can correct. */
class AskError extends Error {}

/** A running product, called with a key or a user's token. */
class Product {
  readonly #url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.#url = url.replace(/\/+$/, '')
    this.#key = key
  }

  /** Calls a route; waits and tries again at a rate limit. Throws `AskError` for a refusal. */
  async call(path: string, body?: object): Promise<unknown> {
    for (let tries = 1; ; tries += 1) {
      const response = await this.#send(path, body)
      const answer: unknown = await response.json().catch(() => undefined)
      if (response.ok) return answer
      const isBusy = response.status === 429 || response.status === 503
      if (!isBusy || tries >= MAX_TRIES) {
        const { data } = Problem.safeParse(answer)
        throw new AskError(`${path}: ${data?.detail ?? `status ${response.status}`}`)
      }
      const seconds = Number(response.headers.get('retry-after')) || DEFAULT_RETRY_SECONDS
      await wait(seconds * 1_000)
    }
  }

  async #send(path: string, body: object | undefined): Promise<Response> {
    try {
      return await fetch(this.#url + path, {
        method: body ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${this.#key}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    } catch (cause) {
      throw new AskError(`${this.#url} does not answer. Set SOHBET_URL to the product's address.`, {
        cause,
      })
    }
  }
}

async function listDocuments(product: Product, tenant: string): Promise<NamedDocument[]> {
  const found: NamedDocument[] = []
  let cursor: string | null = null
  do {
    const more = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer = await product.call(`/api/v1/tenants/${tenant}/knowledge?limit=100${more}`)
    const page: z.infer<typeof DocumentsPage> = DocumentsPage.parse(answer)
    found.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return found
}

/** Asks the questions of a file, prints the report and remembers the results beside the file. */
async function run(tenant: string, file: string): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const { data: settings } = Settings.safeParse(process.env)
  if (!settings) {
    throw new AskError(
      'Set SOHBET_KEY to an API key (scope chat:manage), SOHBET_URL to the address.',
    )
  }
  const { SOHBET_URL, PUBLIC_URL, SOHBET_KEY } = settings
  const product = new Product(SOHBET_URL ?? PUBLIC_URL ?? 'http://localhost:3000', SOHBET_KEY)
  const questions = readQuestions(readFileSync(file, 'utf8'))
  const documents = await listDocuments(product, tenant)
  const results: Result[] = []
  for (const { question, wanted } of questions) {
    const asked = Asked.parse(await product.call(`/api/v1/tenants/${tenant}/ask`, { question }))
    const judged = judgeAnswer(expectedOf(wanted, documents), asked)
    const { answer, confidence, credits_used: credits } = asked
    results.push({ question, wanted, answer, confidence, credits, ...judged })
  }
  const memory = `${file.replace(/\.csv$/i, '')}.last.json`
  const last = existsSync(memory)
    ? LastRun.parse(JSON.parse(readFileSync(memory, 'utf8')))
    : undefined
  process.stdout.write(reportOf(results, last))
  const kept: LastRun = { at: new Date().toISOString(), results: results.map(rememberedOf) }
  writeFileSync(memory, `${JSON.stringify(kept, null, 2)}\n`)
}

function rememberedOf({ question, wanted, verdict, answer }: Result): LastRun['results'][number] {
  return { question, wanted, verdict, answer }
}

const [tenant, file] = process.argv.slice(2)
try {
  if (!tenant || !file) throw new AskError(`Usage: ${USAGE}`)
  if (!existsSync(file)) throw new AskError(`There is no file ${file}. Usage: ${USAGE}`)
  await run(tenant, file)
} catch (error) {
  if (!(error instanceof AskError) && !(error instanceof QuestionsFileError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
