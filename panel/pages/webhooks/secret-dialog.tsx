import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Words } from '../../locales/en/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CopyBox } from '../../ui/page.tsx'
import { LANGUAGES, SNIPPETS, type SnippetLanguage } from './snippets.ts'

/** A secret as the API shows it, once. */
export interface ShownSecret {
  secret: string
  standard_secret: string
  previous_valid_until?: string
}

/** Shows a secret once, and how a receiver verifies what is signed with it. */
export function SecretDialog({
  shown,
  words,
  onClose,
}: {
  shown: ShownSecret
  words: Words
  onClose: () => void
}): VNode {
  const language = useSignal<SnippetLanguage>('node')
  return (
    <Dialog title={words.secretTitle} wide onClose={onClose}>
      <div class="stack">
        <p>{words.secretOnce}</p>
        <CopyBox text={shown.secret} label={words.secret} />
        <p class="soft small">{words.standardSecret}</p>
        <CopyBox text={shown.standard_secret} label={words.standardSecretLabel} />
        {shown.previous_valid_until !== undefined && <p>{words.oldSecretStays}</p>}
        <h3>{words.verifyTitle}</h3>
        <p class="soft small">{words.verifyText}</p>
        <div class="row" role="group" aria-label={words.verifyTitle}>
          {LANGUAGES.map(({ id, name }) => (
            <Button
              key={id}
              small
              kind="plain"
              pressed={id === language.value}
              onPress={() => (language.value = id)}
            >
              {name}
            </Button>
          ))}
        </div>
        <CopyBox text={SNIPPETS[language.value]} label={words.verifyTitle} />
        <div class="dialog-actions">
          <Button kind="primary" onPress={onClose}>
            {words.secretKept}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
