import multipart from '@fastify/multipart'
import type { FastifyRequest, preParsingHookHandler } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import type { App } from '../app-type.ts'
import { AppError, type FieldError, invalidFields, pointer } from '../errors.ts'

/** Bytes of a form beside the file: the other fields and the multipart boundaries. */
const MAX_OTHER_BYTES = 64 * 1024
const MAX_FIELDS = 10
const MAX_FIELD_BYTES = 8 * 1024
const MAX_FILE_NAME_LENGTH = 200

/**
 * A file of a form, with the form's other fields. Only the parser creates instances, so a JSON body
 * cannot imitate an upload.
 */
export class Upload {
  readonly bytes: Buffer
  /** The file's name as text: no folders, no control characters; empty when it has none. */
  readonly fileName: string
  readonly fields: Readonly<Record<string, string>>

  constructor(bytes: Buffer, fileName: string, fields: Record<string, string>) {
    this.bytes = bytes
    this.fileName = fileName
    this.fields = fields
  }

  /** Parses the other fields by a schema. Throws 422 for invalid fields. */
  fieldsAs<Output>(schema: z.ZodType<Output>): Output {
    const parsed = schema.safeParse(this.fields)
    if (parsed.success) return parsed.data
    throw invalidFields(
      parsed.error.issues.flatMap((issue): FieldError[] => {
        const keys = issue.code === 'unrecognized_keys' ? issue.keys : undefined
        if (keys) return keys.map((key) => ({ path: `/${pointer(key)}`, message: 'is unknown' }))
        const path = issue.path.map((key) => `/${pointer(String(key))}`).join('')
        return [{ path, message: issue.message }]
      }),
    )
  }
}

/**
 * Lets the routes of `scope` take `multipart/form-data` with one part `file` of at most
 * `maxBytes` beside JSON. A larger body is refused by its declared length, before it is read.
 */
export async function acceptUploads(scope: App, maxBytes: number): Promise<void> {
  await scope.register(multipart, {
    limits: {
      fileSize: maxBytes,
      files: 1,
      fields: MAX_FIELDS,
      fieldSize: MAX_FIELD_BYTES,
      fieldNameSize: 100,
      parts: MAX_FIELDS + 1,
      headerPairs: 100,
    },
  })
  const refuseLarge: preParsingHookHandler = (request, _reply, payload, done) => {
    const declared = Number(request.headers['content-length'] ?? 0)
    const isForm = /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')
    if (isForm && declared > maxBytes + MAX_OTHER_BYTES) done(payloadTooLarge(maxBytes))
    else done(null, payload)
  }
  scope.addHook('preParsing', refuseLarge)
  // The parser has validated a form; the route's schema validates JSON.
  scope.setValidatorCompiler<z.ZodType>((route) => {
    const validate = validatorCompiler(route)
    return (data: unknown) => (data instanceof Upload ? { value: data } : validate(data))
  })
  scope.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readForm(request, maxBytes)
  })
}

async function readForm(request: FastifyRequest, maxBytes: number): Promise<Upload> {
  const fields: [string, string][] = []
  let file: { bytes: Buffer; name: string } | undefined
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        if (part.fieldname !== 'file') {
          part.file.resume()
          throw invalidFields([
            { path: `/${pointer(part.fieldname)}`, message: 'is not the field of a file' },
          ])
        }
        file = { bytes: await part.toBuffer(), name: part.filename }
      } else if (typeof part.value === 'string') fields.push([part.fieldname, part.value])
      else throw invalidFields([{ path: `/${pointer(part.fieldname)}`, message: 'must be text' }])
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw payloadTooLarge(maxBytes)
    if (code === 'FST_FILES_LIMIT') {
      throw invalidFields([{ path: '/file', message: 'is there twice: send one at a time' }])
    }
    if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT') {
      throw new AppError('payload_too_large', 'The form has too many fields.')
    }
    throw new AppError('malformed_request', 'The form could not be read.', { cause: error })
  }
  if (!file) {
    throw invalidFields([{ path: '/file', message: 'is missing: send one file by this name' }])
  }
  const bad = fields.filter(([, text]) => !text.isWellFormed() || text.includes('\0'))
  if (bad.length > 0) {
    throw invalidFields(
      bad.map(([name]) => ({ path: `/${pointer(name)}`, message: 'contains NUL' })),
    )
  }
  return new Upload(file.bytes, sanitizeFileName(file.name), Object.fromEntries(fields))
}

/** Returns the last segment of a path, without control and bidirectional formatting characters. */
function sanitizeFileName(name: string | undefined): string {
  const last = (name ?? '').toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const visible = last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim()
  return [...visible].slice(0, MAX_FILE_NAME_LENGTH).join('')
}

function payloadTooLarge(maxBytes: number): AppError {
  return new AppError(
    'payload_too_large',
    `A file may have at most ${maxBytes / 1_000_000} MB. Split it into several files.`,
  )
}
