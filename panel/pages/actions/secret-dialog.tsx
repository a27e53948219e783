import type { VNode } from 'preact'
import type { Words } from '../../locales/en/actions.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CopyBox } from '../../ui/page.tsx'

/** Shows the key of an action's signatures, once. */
export function SecretDialog({
  secret,
  words,
  onClose,
}: {
  secret: string
  words: Words
  onClose: () => void
}): VNode {
  return (
    <Dialog title={words.secret.title} onClose={onClose}>
      <div class="stack">
        <p>{words.secret.text}</p>
        <CopyBox text={secret} label={words.secret.label} />
        <p class="soft small">{words.secret.how}</p>
        <div class="dialog-actions">
          <Button kind="primary" onPress={onClose}>
            {words.secret.kept}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
