import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { useApp } from '../../../app/app-context.ts'
import type { Words } from '../../../locales/en/inbox.ts'
import { Button } from '../../../ui/button.tsx'

const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,application/pdf'

/** Chooses a picture or a PDF file and sends it. */
export function AttachButton({
  words,
  onFile,
}: {
  words: Words
  onFile: (file: File) => Promise<void>
}): VNode {
  const { toasts, explain } = useApp()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED}
        hidden
        aria-label={words.attach}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          event.currentTarget.value = ''
          if (file) void onFile(file).catch((error: unknown) => toasts.failed(explain(error)))
        }}
      />
      <Button
        small
        kind="plain"
        icon="attach"
        label={words.attach}
        onPress={() => input.current?.click()}
      />
    </>
  )
}
