import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import type { Logo } from '../../server/tenants/schema.ts'
import { useApp } from '../app/app-context.ts'
import type { EmbedWords } from '../locales/en/parts/embed.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { squarePicture } from '../ui/square-picture.ts'
import './embed.css'

/** A site's logo: an uploaded picture, or the address of one. Empty for none. */
export function LogoField({
  label,
  value,
  words,
  error,
  onChange,
}: {
  label: string
  value: string
  words: EmbedWords['logo']
  error: string | undefined
  onChange: (address: string) => void
}): VNode {
  const app = useApp()
  const input = useRef<HTMLInputElement>(null)
  const isUploaded = value.startsWith('/')

  async function upload(file: File): Promise<void> {
    const square = await squarePicture(file, 'contain').catch(() => undefined)
    if (!square) {
      app.toasts.failed(words.unreadable)
      return
    }
    try {
      const form = new FormData()
      form.append('file', square, 'logo.png')
      const { logo_url: address } = await app.api.upload<Logo>('logos', form)
      onChange(address)
    } catch (failure) {
      app.toasts.failed(app.explain(failure))
    }
  }

  return (
    <Field label={label} hint={words.hint} error={error}>
      {(control) => (
        <div class="logo-field">
          {isUploaded && <img class="avatar" src={value} alt={words.uploaded} />}
          <input
            class="input"
            type="url"
            placeholder="https://…"
            {...control}
            value={isUploaded ? '' : value}
            onInput={(event) => onChange(event.currentTarget.value.trim())}
          />
          <input
            ref={input}
            type="file"
            hidden
            accept="image/png,image/jpeg,image/webp"
            aria-label={words.upload}
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? []
              event.currentTarget.value = ''
              if (file) void upload(file)
            }}
          />
          <Button icon="upload" onPress={() => input.current?.click()}>
            {words.upload}
          </Button>
          {isUploaded && (
            <Button kind="plain" icon="close" label={words.remove} onPress={() => onChange('')} />
          )}
        </div>
      )}
    </Field>
  )
}
