import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type {
  CallToolResult,
  GetPromptResult,
  ListPromptsResult,
  ListResourcesResult,
  ReadResourceResult,
  Tool as ToolDescription,
} from '@modelcontextprotocol/sdk/types.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { STATUS_OF, toAppError } from '../http/errors.ts'
import { type CallRef, RunningCalls } from './running-calls.ts'
import type { RpcBody, RpcMessage } from './schema.ts'
import type { Context } from '../context.ts'
import { onResponseClosed } from '../http/response-closed.ts'

/** The tools for one caller, and prompts and resources where the caller may read them. */
export interface McpOffer {
  instructions: string
  tools: readonly ToolDescription[]
  callTool(name: string, args: unknown, signal: AbortSignal): Promise<CallToolResult>
  prompts?: {
    list(cursor: string | undefined): Promise<ListPromptsResult>
    get(name: string, args: Record<string, string>): Promise<GetPromptResult>
  }
  resources?: {
    list(cursor: string | undefined): Promise<ListResourcesResult>
    template: { uriTemplate: string; name: string; description: string }
    read(uri: string): Promise<ReadResourceResult>
  }
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>

/** Loads the SDK at the first call: most installations never need it. */
async function loadSdk() {
  const [server, transport, validation, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/mcp.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('@modelcontextprotocol/sdk/validation/ajv-provider.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  // Every server would build one of its own, which takes longer than most calls.
  const validator = new validation.AjvJsonSchemaValidator()
  return { ...server, ...transport, ...types, validator }
}

/**
 * Speaks MCP over Streamable HTTP without state: each request has a server of its own, so that any
 * process answers. The id of a session, which clients repeat, only names a call that is cancelled.
 */
export class McpEndpoint {
  readonly #running: RunningCalls
  readonly #version: string
  #sdk: Promise<Sdk> | undefined

  constructor(ctx: Context, version: string) {
    this.#running = new RunningCalls(ctx)
    this.#version = version
  }

  /** Answers the messages of a request with what `offer` holds. */
  async answer(
    request: FastifyRequest<{ Body: RpcBody }>,
    reply: FastifyReply,
    { offer, subject }: { offer: McpOffer; subject: string },
  ): Promise<FastifyReply> {
    const messages = [request.body].flat()
    const sessionId = sessionIdOf(request)
    const refOf = (requestId: unknown): CallRef => ({ subject, sessionId, requestId })
    for (const { method, params } of messages) {
      if (method === 'notifications/cancelled') this.#running.cancel(refOf(params?.requestId))
    }
    const sdk = await (this.#sdk ??= loadSdk())
    const server = createServer(sdk, offer, this.#version)
    // A call may be silent for as long as a model thinks: a stream has heartbeats, JSON has none.
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: !messages.some(isToolCall),
    })
    await server.connect(transport)
    const stop = () => void server.close()
    const removals = messages.flatMap((one) =>
      isToolCall(one) ? [this.#running.add(refOf(one.id), stop)] : [],
    )
    onResponseClosed(reply.raw, () => {
      for (const remove of removals) remove()
      stop()
    })
    const answer = await transport.handleRequest(webRequestOf(request), {
      parsedBody: request.body,
    })
    return reply.send(answer)
  }
}

/** Returns the session that the client names; an empty text without one. */
export function sessionIdOf(request: FastifyRequest): string {
  const { 'mcp-session-id': sent } = request.headers
  return typeof sent === 'string' ? sent : ''
}

/** Whether the message calls a tool. */
export function isToolCall({ method, id }: RpcMessage): boolean {
  return method === 'tools/call' && id !== undefined
}

/** The head of the request as the SDK reads it; the body is parsed already. */
function webRequestOf({ url, headers, host }: FastifyRequest): Request {
  const kept = new Headers()
  for (const name of ['accept', 'content-type', 'mcp-protocol-version']) {
    const value = headers[name]
    if (typeof value === 'string') kept.set(name, value)
  }
  return new Request(new URL(url, `http://${host || 'localhost'}`), {
    method: 'POST',
    headers: kept,
  })
}

function createServer(sdk: Sdk, offer: McpOffer, version: string): McpServer {
  const { prompts, resources } = offer
  const wrapper = new sdk.McpServer(
    { name: 'sohbet', title: 'Sohbet', version },
    {
      instructions: offer.instructions,
      capabilities: {
        tools: {},
        ...(prompts && { prompts: {} }),
        ...(resources && { resources: {} }),
      },
      jsonSchemaValidator: sdk.validator,
    },
  )
  const { server } = wrapper
  server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({ tools: [...offer.tools] }))
  server.setRequestHandler(sdk.CallToolRequestSchema, ({ params }, { signal }) =>
    offer.callTool(params.name, params.arguments, signal),
  )
  const orRpcError = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      const { code, message, more } = toAppError(
        error instanceof Error ? error : new Error(String(error)),
      )
      const isTheirs = STATUS_OF[code] < 500
      const number = isTheirs ? sdk.ErrorCode.InvalidParams : sdk.ErrorCode.InternalError
      throw new sdk.McpError(number, message, { code, ...more })
    }
  }
  if (prompts) {
    server.setRequestHandler(sdk.ListPromptsRequestSchema, ({ params }) =>
      orRpcError(prompts.list(params?.cursor)),
    )
    server.setRequestHandler(sdk.GetPromptRequestSchema, ({ params }) =>
      orRpcError(prompts.get(params.name, params.arguments ?? {})),
    )
  }
  if (resources) {
    server.setRequestHandler(sdk.ListResourcesRequestSchema, ({ params }) =>
      orRpcError(resources.list(params?.cursor)),
    )
    server.setRequestHandler(sdk.ListResourceTemplatesRequestSchema, () => ({
      resourceTemplates: [resources.template],
    }))
    server.setRequestHandler(sdk.ReadResourceRequestSchema, ({ params }) =>
      orRpcError(resources.read(params.uri)),
    )
  }
  return wrapper
}
