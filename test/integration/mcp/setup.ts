import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import type { CreatedApiKey } from '../../helpers/answers.ts'
import type { TestProduct, TestWorkspace } from '../../helpers/product.ts'

/** The result of a tool call, as an assistant reads it. */
export interface ToolAnswer {
  isError: boolean
  text: string
  content: Record<string, unknown>
}

/** The SDK's own client, connected over HTTP as an assistant connects. */
export async function connect(
  product: Pick<TestProduct, 'url'>,
  {
    path = '/mcp',
    token,
    headers,
  }: { path?: string; token?: string; headers?: Record<string, string> },
) {
  const transport = new StreamableHTTPClientTransport(new URL(path, product.url), {
    requestInit: {
      headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    },
  })
  const client = new Client({ name: 'a test', version: '1.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return {
    client,
    call: async (
      name: string,
      args: Record<string, unknown> = {},
      signal?: AbortSignal,
    ): Promise<ToolAnswer> => {
      const answer = CallToolResultSchema.parse(
        await client.callTool({ name, arguments: args }, undefined, signal ? { signal } : {}),
      )
      const [first] = answer.content
      return {
        isError: answer.isError ?? false,
        text: first?.type === 'text' ? first.text : '',
        content: answer.structuredContent ?? {},
      }
    },
  }
}

/** A key of the workspace's owner, with these scopes alone if there are any. */
export async function addKey(
  product: TestProduct,
  { token }: TestWorkspace,
  scopes?: readonly string[],
): Promise<string> {
  const made = await product.call<CreatedApiKey>('/api/v1/api-keys', {
    token,
    body: { name: 'Assistant', ...(scopes ? { scopes } : {}) },
  })
  if (made.status !== 201) throw new Error(`No key was made: ${made.text}`)
  return made.body.key
}
