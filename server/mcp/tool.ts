import type { CallToolResult, Tool as ToolDescription } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.ts'
import {
  AppError,
  type FieldError,
  STATUS_OF,
  invalidFields,
  pointer,
  problemOf,
  toAppError,
} from '../http/errors.ts'
import type { Caller } from '../platform/auth/authenticator.ts'

/** A call of a tool: who calls, over which request, and when to stop. */
export interface McpCall<Who extends Caller> {
  caller: Who
  request: FastifyRequest
  signal: AbortSignal
}

/** A tool of MCP, for one kind of caller. */
export interface McpTool<Who extends Caller> {
  name: string
  /** The route that does the same: the tool has its access and counts in its pool. */
  route: string
  /** The audit log names each call: personal data leaves, or somebody is written to. */
  isAudited: boolean
  description: ToolDescription
  /** Validates the arguments and calls. Throws 422, and what the route throws. */
  call(ctx: Context, call: McpCall<Who>, args: unknown): Promise<Record<string, unknown>>
}

interface ToolDefinition<
  Who extends Caller,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
> {
  name: string
  title: string
  /** When to use the tool and what it costs, for the model that chooses. */
  description: string
  route: string
  isReadOnly: boolean
  isAudited?: boolean
  input: Input
  output: Output
  run(ctx: Context, call: McpCall<Who>, input: z.infer<Input>): Promise<z.input<Output>>
}

/** Builds a tool from its schemas: they validate, describe, and decide what leaves. */
export function defineTool<
  Who extends Caller,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
>(definition: ToolDefinition<Who, Input, Output>): McpTool<Who> {
  const { name, title, description, route, isReadOnly, isAudited = false } = definition
  return {
    name,
    route,
    isAudited,
    description: {
      name,
      title,
      description,
      inputSchema: jsonSchema(definition.input, 'input'),
      outputSchema: jsonSchema(definition.output, 'output'),
      annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: !isReadOnly },
    },
    async call(ctx, call, args) {
      const parsed = definition.input.safeParse(args ?? {})
      if (!parsed.success) throw invalidFields(parsed.error.issues.flatMap(fieldErrorsOf))
      return definition.output.parse(await definition.run(ctx, call, parsed.data))
    },
  }
}

const ObjectSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.looseObject({})).optional(),
  required: z.array(z.string()).optional(),
})

function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): ToolDescription['inputSchema'] {
  return ObjectSchema.parse(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
}

function fieldErrorsOf(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map((part) => `/${pointer(String(part))}`).join('')
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
  return issue.keys.map((key) => ({
    path: `${path}/${pointer(key)}`,
    message: 'is not a field of this tool',
  }))
}

/** Returns a result with its JSON, for clients that read no structured content. */
export function resultOf(content: Record<string, unknown>): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(content) }],
    structuredContent: content,
  }
}

/**
 * Returns a failure that the assistant can read and act on, with the problem of the route in `_meta`.
 * Logs errors of the service; whatever a cancelled call fails with is none.
 */
export function failureOf(
  error: unknown,
  { ctx, request, signal }: { ctx: Context; request: FastifyRequest; signal: AbortSignal },
): CallToolResult {
  const known = toAppError(error instanceof Error ? error : new Error(String(error)))
  if (STATUS_OF[known.code] >= 500 && !signal.aborted && !ctx.outage.note(error)) {
    request.log.error({ event: 'mcp.tool_failed', err: error }, known.message)
  }
  const problem = problemOf(known, request.id)
  const fields = problem.errors?.map(({ path, message }) => `\n${path} ${message}`) ?? []
  const text = `${known.code}: ${known.message}${fields.join('')}`
  return { isError: true, content: [{ type: 'text', text }], _meta: { problem } }
}

/** Throws 404 for a tool that is not offered. */
export function unknownTool(name: string): AppError {
  return new AppError('not_found', `The tool ${name} does not exist.`)
}
