import type { VNode } from 'preact'
import { Icon } from './icon.tsx'
import type { AppContext } from './app-context.ts'

/** The input: Enter sends, Shift+Enter breaks the line. */
export function Composer({ app }: { app: AppContext }): VNode {
  const { chat, ui } = app
  const { strings } = ui
  const excess = chat.excessLength()
  const isTooLong = excess > 0

  function submit(event: Event): void {
    event.preventDefault()
    ui.focusInput()
    void chat.askDraft()
  }
  function onKeyDown(event: KeyboardEvent): void {
    // An Enter that ends a composition belongs to the input method; Safari says so by 229 only.
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && event.keyCode !== 229)
      submit(event)
  }

  return (
    <form class="composer" onSubmit={submit}>
      {isTooLong && (
        <p id="excess" role="alert">
          {strings.tooLong(excess)}
        </p>
      )}
      {ui.slots.value.attach?.()}
      <textarea
        rows={1}
        // Empty it would be left to right, and so would the placeholder.
        dir={chat.draft.value ? 'auto' : strings.dir}
        enterkeyhint="send"
        aria-label={strings.write}
        aria-invalid={isTooLong}
        aria-describedby={isTooLong ? 'excess' : undefined}
        placeholder={strings.placeholder}
        value={chat.draft.value}
        onInput={(event) => chat.setDraft(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <button class="send round" aria-label={strings.send} aria-disabled={!chat.canSend()}>
        <Icon name="send" />
      </button>
    </form>
  )
}
