import type { RunAnswer } from '../../../server/prompts/schema.ts'
import type { Problem } from '../../helpers/answers.ts'
import type { DatabasePlace, TestDatabase } from '../../helpers/databases.ts'
import { type ModelServer, startModelServer } from '../../helpers/servers/model-server.ts'
import {
  type Answer,
  type ProductOptions,
  type StartedProduct,
  type TestProduct,
  type TestWorkspace,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { useStarted } from '../../helpers/use-product.ts'

/** The product in front of a local model. */
export interface PromptProduct extends TestProduct {
  model: ModelServer
}

/** One of both for all tests of the group; the model answers what its script says. */
export function usePromptProduct(
  database: TestDatabase,
  options: ProductOptions = {},
): PromptProduct {
  const product = useStarted(async () => startPromptProduct(await database.create(), options))
  return {
    get url() {
      return product().url
    },
    get devPath() {
      return product().devPath
    },
    get ctx() {
      return product().ctx
    },
    get model() {
      return product().model
    },
    call: (path, call) => product().call(path, call),
  }
}

/** Starts both, for tests of settings and of several processes. */
export async function startPromptProduct(
  place: DatabasePlace,
  options: ProductOptions = {},
): Promise<PromptProduct & StartedProduct> {
  const model = await startModelServer()
  const product = await startTestProduct(place, {
    ...options,
    settings: {
      ...modelSettings(model),
      LIMIT_EXECUTE: '0',
      ALLOW_PRIVATE_TARGETS: 'true',
      ...options.settings,
    },
  })
  return {
    ...product,
    model,
    async stop() {
      await product.stop()
      await model.close().catch(() => undefined)
    },
  }
}

/** The settings that lead the product to a local model. */
export function modelSettings(model: ModelServer): Record<string, string> {
  return {
    MODEL_PROVIDER: 'openai-compatible',
    MODEL_BASE_URL: model.url,
    MODEL_NAME: 'test-model',
    MODEL_API_KEY: 'sk-test',
    IMAGE_MODEL_NAME: 'test-image-model',
  }
}

/** Runs a prompt over HTTP. */
export function execute(
  product: TestProduct,
  { token }: Pick<TestWorkspace, 'token'>,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Answer<RunAnswer & Problem>> {
  return product.call<RunAnswer & Problem>('/api/v1/prompts/execute', { token, body, headers })
}

/** The events of a stream, in order. */
export function eventsOf(text: string): Record<string, unknown>[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('data: '))
    .map((block) => JSON.parse(block.slice('data: '.length)))
}

/** A prompt of the workspace's own: fixed at 8 credits, unless said otherwise. */
export async function addPrompt(
  product: Pick<TestProduct, 'call'>,
  { token }: Pick<TestWorkspace, 'token'>,
  prompt: { prompt_id?: string; kind?: string; [field: string]: unknown } = {},
): Promise<string> {
  const promptId = prompt.prompt_id ?? 'greeting'
  const made = await product.call('/api/v1/prompts', {
    token,
    body: {
      prompt_id: promptId,
      title: 'Greeting',
      kind: 'fixed',
      template: 'Greet {{name}}.',
      inputs_schema: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
      },
      ...(prompt.kind === 'bot' ? {} : { credits_cost: 8 }),
      ...prompt,
    },
  })
  if (made.status !== 201) throw new Error(`The prompt was not made: ${made.text}`)
  return promptId
}

/** A workspace with a prompt of each kind: `greeting`, `expert` and `picture`. */
export async function openPromptWorkspace(
  product: Pick<TestProduct, 'call'>,
  options: Parameters<typeof addWorkspace>[1] = {},
): Promise<TestWorkspace> {
  const workspace = await addWorkspace(product, options)
  await addPrompt(product, workspace)
  await addPrompt(product, workspace, { prompt_id: 'expert', kind: 'bot' })
  await addPrompt(product, workspace, { prompt_id: 'picture', kind: 'image', credits_cost: 10 })
  return workspace
}

export const NAME = { inputs: { name: 'Ada' } }
