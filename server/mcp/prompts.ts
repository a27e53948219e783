import type { PromptArgument } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { AppError, invalidFields } from '../http/errors.ts'
import { decodeCursor, encodeCursor } from '../lib/cursor.ts'
import type { UserCaller } from '../platform/auth/authenticator.ts'
import { listAllPrompts } from '../prompts/prompts.ts'
import { type RunServices, renderTexts } from '../prompts/runs/execute.ts'
import type { Prompt } from '../prompts/schema.ts'
import type { McpOffer } from './serve.ts'

const PAGE = 50

const Property = z.looseObject({
  type: z.unknown(),
  title: z.string().optional(),
  description: z.string().optional(),
})
const Inputs = z.looseObject({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
})

/** Offers the library's and the workspace's prompts as texts that the client's own model answers. */
export function offerPrompts(
  ctx: Context,
  services: RunServices,
  caller: UserCaller,
): NonNullable<McpOffer['prompts']> {
  const { workspaceId, locale } = caller
  return {
    async list(cursor) {
      const after = cursor === undefined ? '' : readCursor(cursor)
      const found = await listAllPrompts(ctx, workspaceId, { after, limit: PAGE + 1, locale })
      const shown = found.slice(0, PAGE)
      const last = shown.at(-1)
      return {
        // An image is drawn by a model of this installation, not by the client's.
        prompts: shown.filter(({ kind }) => kind !== 'image').map(describe),
        ...(last && found.length > PAGE
          ? { nextCursor: encodeCursor({ at: 0, id: last.prompt_id }) }
          : {}),
      }
    },
    async get(name, args) {
      const prompt = await services.runnables.open(ctx, workspaceId, name, locale)
      const inputs = parseArguments(prompt.inputsSchema, args)
      const check = await services.schemas.checkOf(prompt.schemaName, prompt.inputsSchema)
      const [fault, ...more] = check(inputs)
      if (fault) throw invalidFields([fault, ...more])
      const { instructions, text } = await renderTexts(ctx, caller, prompt, inputs)
      // MCP has no system message: the instructions come as the first message.
      const whole = instructions ? `${instructions}\n\n${text}` : text
      return { messages: [{ role: 'user', content: { type: 'text', text: whole } }] }
    },
  }
}

/** Returns the last name that the client has seen. Throws 422 for another list's cursor. */
export function readCursor(cursor: string): string {
  const place = decodeCursor(cursor)
  if (!place) throw new AppError('validation_failed', 'This is not a cursor of this list.')
  return place.id
}

function describe({ prompt_id: name, title, description, inputs_schema }: Prompt) {
  const { properties, required } = Inputs.parse(inputs_schema)
  return {
    name,
    title,
    ...(description === null ? {} : { description }),
    arguments: Object.entries(properties).map(([key, property]): PromptArgument => {
      const { title: label, description: about } = Property.safeParse(property).data ?? {}
      const text = [label, about].filter(Boolean).join(': ')
      return { name: key, required: required.includes(key), ...(text ? { description: text } : {}) }
    }),
  }
}

/** Arguments are texts; the schema says which of them are numbers, lists or truth values. */
function parseArguments(
  schema: Record<string, unknown>,
  args: Record<string, string>,
): Record<string, unknown> {
  const { properties } = Inputs.parse(schema)
  return Object.fromEntries(
    Object.entries(args).map(([name, text]) => {
      const { type } = Property.safeParse(properties[name]).data ?? {}
      const isText = type === undefined || [type].flat().includes('string')
      return [name, isText ? text : parseValue(text, type)]
    }),
  )
}

function parseValue(text: string, type: unknown): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return type === 'array' ? text.split(',').map((item) => item.trim()) : text
  }
}
