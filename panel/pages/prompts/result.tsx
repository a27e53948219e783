import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/prompts.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import type { RunEnd } from './run-stream.ts'

/** The answer of a run while it is written, its pictures, and what it cost. */
export function Result({
  text,
  end,
  error,
  isRunning,
  words,
}: {
  text: string
  end: RunEnd | undefined
  error: string
  isRunning: boolean
  words: Words
}): VNode {
  const { format, toasts, words: common } = useApp()
  const isEmpty = text === '' && !end && error === '' && !isRunning
  return (
    <Card
      title={words.result}
      actions={
        text !== '' &&
        !isRunning && (
          <Button
            small
            icon="copy"
            onPress={async () => {
              await navigator.clipboard.writeText(text)
              toasts.done(common.value.copied)
            }}
          >
            {words.copyResult}
          </Button>
        )
      }
    >
      <div class="stack">
        {isEmpty && <p class="soft">{words.resultHint}</p>}
        {!isEmpty && (
          <div class="result" aria-live="polite" aria-busy={isRunning} dir="auto">
            {text === '' && isRunning ? <span class="soft">{words.running}</span> : text}
          </div>
        )}
        {end?.images && (
          <div class="pictures">
            {end.images.map(({ url }, at) => (
              <a key={url} href={url} target="_blank" rel="noopener noreferrer">
                <img src={url} alt={words.picture(at + 1)} />
              </a>
            ))}
          </div>
        )}
        {error !== '' && (
          <p class="form-error" role="alert">
            {error}
          </p>
        )}
        {end && (
          <p class="soft small" role="status">
            {words.used(
              format.value.number(end.credits_used),
              format.value.number(end.credits_remaining),
            )}{' '}
            {end.finish_reason === 'length' && words.cut}
          </p>
        )}
      </div>
    </Card>
  )
}
