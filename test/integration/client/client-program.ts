/** An integrator's program: it names no type of the product but those of the package. */
export const PROGRAM = `
import { Sohbet, SohbetError, verifyWebhook, type RunAnswer, type Turn } from 'sohbet'

const [baseUrl = '', apiKey = '', tenant_id = ''] = process.argv.slice(2)
const client = new Sohbet({ baseUrl, apiKey })
const turn: Turn = await client.chat.send({ tenant_id, message: 'When do you open?' })
const content: string | undefined = turn.reply?.content
let streamed = ''
let isDone = false
for await (const event of client.chat.stream({ tenant_id, message: 'When do you open?' })) {
  if ('delta' in event) streamed += event.delta
  else isDone = event.done
}
const run: RunAnswer = await client.prompts.execute({
  prompt_id: 'appointment-reminder',
  inputs: { name: 'Ada', when: 'Monday', clinic: 'North' },
})
let leads = 0
for await (const lead of client.leads.list({ status: 'new' })) leads += lead.complete ? 1 : 0
let code = ''
try {
  await client.prompts.execute({ prompt_id: 'no-such', inputs: {} })
} catch (error) {
  if (error instanceof SohbetError) code = error.code
}
const forged = await verifyWebhook({ body: '{}', headers: {}, secret: 'x' }).catch((error: SohbetError) => error.code)
const version = process.versions.node
console.log(JSON.stringify({ content, streamed, isDone, used: run.credits_used, leads, code, forged, version }))
`

/** A program that the types refuse. */
export const WRONG_PROGRAM = `
import { Sohbet } from 'sohbet'
await new Sohbet({ baseUrl: '' }).chat.send({ tenant: 'demo' })
`

/** The strictest settings of a project that knows nothing of this one. */
export const SETTINGS = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.AsyncIterable'],
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    types: [],
    outDir: 'out',
  },
  include: ['program.ts', 'globals.d.ts'],
}

/** Node's globals in the program; the project does not have Node's types. */
export const GLOBALS = `declare const process: { argv: string[]; versions: { node: string } }`
