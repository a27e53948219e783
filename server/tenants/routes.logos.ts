import { z } from 'zod'
import type { Context } from '../context.ts'
import { PUBLIC, managers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError } from '../http/errors.ts'
import { Upload, acceptUploads } from '../http/requests/uploads.ts'
import { actorOf } from '../platform/audit/audit.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { addLogo } from './logos.ts'
import { Logo } from './schema.ts'
import { findLogo } from './store.ts'

const MAX_LOGO_BYTES = 256_000
/** A logo never changes under its id. */
const LOGO_CACHE = 'public, max-age=31536000, immutable'
const tags = ['Tenants']

const upload = {
  config: {
    access: managers('chat:manage'),
    pool: 'default',
    form: z.object({}),
    mayFail: ['unsupported_media_type', 'payload_too_large', 'validation_failed'],
  },
  schema: {
    summary: 'Upload a logo: PNG, JPEG or WebP, up to 256 KB',
    description: "A site shows it once its `theme.logo_url` is the answer's.",
    tags,
    response: { 201: Logo },
  },
} as const

const show = {
  config: { access: PUBLIC, pool: 'open', mayFail: ['not_found'] },
  schema: {
    summary: 'A logo by its id, which nobody can guess',
    tags,
    params: z.object({ logo_id: z.string().max(64) }),
    produces: ['image/png', 'image/jpeg', 'image/webp'],
  },
} as const

/** Registers the routes of uploaded logos. */
export async function logoRoutes(app: App, ctx: Context): Promise<void> {
  await app.register(async (forms: App) => {
    await acceptUploads(forms, MAX_LOGO_BYTES)

    forms.post('/api/v1/logos', upload, async (request, reply) => {
      const form: unknown = request.body
      if (!(form instanceof Upload)) {
        throw new AppError(
          'unsupported_media_type',
          'Send the logo as `multipart/form-data`, in the field `file`.',
        )
      }
      const { workspaceId } = requireMember(request)
      const logo_url = await addLogo(ctx, workspaceId, {
        bytes: form.bytes,
        actor: actorOf(request),
      })
      return reply.code(201).send({ logo_url })
    })
  })

  app.get('/api/v1/logos/:logo_id', show, async (request, reply) => {
    const row = await findLogo(ctx.db, request.params.logo_id)
    if (!row) throw new AppError('not_found', 'This logo does not exist.')
    return reply
      .headers({
        'cache-control': LOGO_CACHE,
        'content-security-policy': "default-src 'none'; sandbox",
        // The widget shows it on pages of other origins.
        'cross-origin-resource-policy': 'cross-origin',
      })
      .type(row.media_type)
      .send(Buffer.from(row.data, 'base64'))
  })
}
