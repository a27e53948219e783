import { beforeAll, expect, test } from 'vitest'
import { describeOnDatabase } from '../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../helpers/product.ts'
import { useProduct, useStarted } from '../helpers/use-product.ts'
import { createProject } from './project.ts'

const TOOLS = [
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  'typescript@5.9.3',
  '@types/node@26.6.6',
  'esbuild@0.28.2',
]
const RUN = `{ prompt_id: 'appointment-reminder', inputs: { name: 'Ada', when: 'Monday', clinic: 'X' } }`

const COMPILER = {
  compilerOptions: {
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'Bundler',
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
  },
}

/** The end of each program: a run, a streamed run, and a refusal, printed as one line of JSON. */
const EVENTS = `
async function lastEvent(stream: ReadableStream<Uint8Array> | null): Promise<unknown> {
  const events = (await new Response(stream).text()).trim().split('\\n\\n')
  return JSON.parse(events.at(-1)?.slice('data: '.length) ?? '')
}
`

const OPENAPI_FETCH = `
import createClient from 'openapi-fetch'
import type { paths } from './openapi-typescript'

const [baseUrl = '', token = ''] = process.argv.slice(2)
type Json = 'application/json' | 'application/problem+json'
const headers = { authorization: \`Bearer \${token}\` }
const client = createClient<paths, Json>({ baseUrl, headers })
const streams = createClient<paths, 'text/event-stream'>({ baseUrl, headers })
const { data, error } = await client.POST('/api/v1/prompts/execute', { body: ${RUN} })
if (error) throw new Error(error.code)
const used: number = data.credits_used
const streamed = await streams.POST('/api/v1/prompts/execute', {
  body: { ...${RUN}, stream: true },
  parseAs: 'stream',
})
const refused = await client.GET('/api/v1/prompts/{prompt_id}', {
  params: { path: { prompt_id: 'no-such-prompt' } },
})
const code: string | undefined = refused.error?.code
console.log(JSON.stringify({ used, last: await lastEvent(streamed.data ?? null), code }))
${EVENTS}`

const HEY_API = `
import { client } from './hey-api/client.gen'
import { getPromptsByPromptId, postPromptsExecute } from './hey-api/sdk.gen'

const [baseUrl = '', token = ''] = process.argv.slice(2)
client.setConfig({ baseUrl, auth: () => token })
const { data, error } = await postPromptsExecute({ body: ${RUN} })
if (error || data === undefined || !('credits_used' in data)) throw new Error('refused')
const used: number = data.credits_used
const streamed = await postPromptsExecute({ body: { ...${RUN}, stream: true }, parseAs: 'stream' })
const refused = await getPromptsByPromptId({ path: { prompt_id: 'no-such-prompt' } })
const code: string | undefined = refused.error?.code
const body: unknown = streamed.data
if (!(body instanceof ReadableStream)) throw new Error('not a stream')
console.log(JSON.stringify({ used, last: await lastEvent(body), code }))
${EVENTS}`

const ORVAL = `
import { getPromptsByPromptId, postPromptsExecute } from './orval/api'

const answer = await postPromptsExecute(${RUN})
if (answer.status !== 200 || !('credits_used' in answer.data)) throw new Error('refused')
const used: number = answer.data.credits_used
const streamed = await postPromptsExecute({ ...${RUN}, stream: true })
const refused = await getPromptsByPromptId('no-such-prompt')
const code: string | undefined = refused.status === 404 ? refused.data.code : undefined
const body: unknown = streamed.data
if (!(body instanceof ReadableStream)) throw new Error('not a stream')
console.log(JSON.stringify({ used, last: await lastEvent(body), code }))
${EVENTS}`

/** The mutator that docs/client.md shows: orval's own `fetch` reads each body to its end. */
const MUTATOR = `
export async function call<Answer>(url: string, options: RequestInit): Promise<Answer> {
  const [baseUrl = '', token = ''] = process.argv.slice(2)
  const headers = { ...options.headers, authorization: \`Bearer \${token}\` }
  const response = await fetch(baseUrl + url, { ...options, headers })
  // The response is handed over too: a stream whose response is collected would be cancelled.
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const data = isStream ? response.body : await response.json()
  return { status: response.status, headers: response.headers, data, response } as Answer
}
`

const ORVAL_CONFIG = `
export default {
  api: {
    input: './openapi.json',
    output: {
      target: './orval/api.ts',
      client: 'fetch',
      override: { mutator: { path: './mutator.ts', name: 'call' } },
    },
  },
}
`

describeOnDatabase('the description of the API, for the tools of others', (database) => {
  const product = useProduct(database)
  const project = useStarted(() => createProject(TOOLS))
  let own: TestWorkspace

  beforeAll(async () => {
    own = await addWorkspace(product, { plan: 'starter' })
    const { text } = await product.call('/api/v1/openapi.json')
    await project().write({
      'openapi.json': text,
      'orval.config.js': ORVAL_CONFIG,
      'mutator.ts': MUTATOR,
    })
  })

  /** Compiles a program in strict mode, runs it, and returns what it prints. */
  const runProgram = async (name: string, program: string): Promise<unknown> => {
    const settings = JSON.stringify({ ...COMPILER, files: [`${name}.ts`] })
    await project().write({ [`${name}.ts`]: program, [`tsconfig.${name}.json`]: settings })
    await project().node('node_modules/typescript/bin/tsc', '--project', `tsconfig.${name}.json`)
    const bundled = ['--bundle', '--format=esm', '--platform=node', `--outfile=${name}.mjs`]
    await project().node(
      'node_modules/esbuild/bin/esbuild',
      `${name}.ts`,
      '--log-level=error',
      ...bundled,
    )
    const { stdout } = await project().node(`${name}.mjs`, product.url, own.token)
    return JSON.parse(stdout)
  }
  const expected = {
    used: 1,
    last: expect.objectContaining({ done: true, credits_used: 1 }),
    code: 'not_found',
  }

  test('makes a client with openapi-typescript, which runs and streams', async () => {
    await project().node(
      'node_modules/openapi-typescript/bin/cli.js',
      'openapi.json',
      '-o',
      'openapi-typescript.d.ts',
    )
    expect(await runProgram('fetch-program', OPENAPI_FETCH)).toEqual(expected)
  })

  test('makes a client with Hey API, which runs and streams', async () => {
    await project().node(
      'node_modules/@hey-api/openapi-ts/bin/run.js',
      '-i',
      'openapi.json',
      '-o',
      'hey-api',
    )
    expect(await runProgram('hey-program', HEY_API)).toEqual(expected)
  })

  test('makes a client with orval, which runs and streams', async () => {
    await project().node('node_modules/orval/dist/bin/orval.mjs')
    expect(await runProgram('orval-program', ORVAL)).toEqual(expected)
  })
})
