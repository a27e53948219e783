import { Component, type VNode } from 'preact'
import type { Line } from '../chat/chat.ts'
import { Markdown } from './markdown.tsx'
import { Message } from './message.tsx'
import type { Slots, AppContext } from './app-context.ts'

/** Everything between head and input. */
export function Conversation({ app }: { app: AppContext }): VNode {
  const { host, chat, ui } = app
  const { strings } = ui
  const { before, time, receipt, operator, live, notices, after } = ui.slots.value
  const answer = chat.answer.value
  const lines = chat.lines.value
  const waiting = chat.outbox.value.filter(({ key }) => lines.every((line) => line.key !== key))
  return (
    <div class="middle">
      <div class="scroller">
        <div class="content">
          <p class="greeting" dir="auto">
            {host.config?.greeting || strings.greeting}
          </p>
          {before?.()}
          <div
            class="log"
            role="log"
            // `announceAnswers` reads new lines out, in whole sentences.
            aria-live="off"
            aria-label={strings.conversation}
            tabIndex={0}
          >
            <Lines {...{ lines, time, receipt, operator, app }} />
            {answer !== undefined && (answer || chat.isBusy()) && (
              <div class="line assistant">
                <div class="bubble writing" dir="auto">
                  {answer ? <Markdown text={answer} /> : <span class="dots" />}
                </div>
              </div>
            )}
            {waiting.map(({ key, message }) => (
              <div key={key} class={`line visitor ${answer === undefined ? '' : 'waiting'}`}>
                <div class="bubble" dir="auto">
                  {message.message}
                </div>
              </div>
            ))}
            {live?.()}
          </div>
          {notices ? notices() : <Notice app={app} />}
          {chat.isBusy() || chat.form.value ? null : <Suggestions app={app} />}
          {after?.map((draw) => draw())}
        </div>
      </div>
      {ui.hasNewMessages.value && (
        <button class="news" onClick={ui.scrollToEnd}>
          {strings.newMessages}
        </button>
      )}
    </div>
  )
}

/** A few more than fit the panel. */
const LINES_AT_ONCE = 10

interface LinesProps {
  time: Slots['time'] | undefined
  receipt: Slots['receipt']
  operator: Slots['operator']
  lines: Line[]
  app: AppContext
}

/** The lines: many, and seldom changed while the rest is, so they are drawn from the end, in steps. */
class Lines extends Component<LinesProps> {
  shown = 0

  override shouldComponentUpdate({ lines, time, receipt, operator }: LinesProps): boolean {
    const { props } = this
    return (
      lines !== props.lines ||
      time !== props.time ||
      receipt !== props.receipt ||
      operator !== props.operator
    )
  }

  override render({ lines, time, receipt, operator, app }: LinesProps): VNode {
    this.shown += LINES_AT_ONCE
    const from = Math.max(0, lines.length - this.shown)
    if (from > 0) setTimeout(() => this.forceUpdate())
    let before = lines[from - 1]?.at ?? 0
    return (
      <>
        {lines.slice(from).map((line) => {
          const when = time?.(line.at, before)
          before = line.at
          return (
            <div key={line.key}>
              {when}
              <Message
                line={line}
                name={line.role === 'operator' ? operator?.name : undefined}
                app={app}
              />
              {receipt?.id === line.id && <p class="seen">{receipt.text}</p>}
            </div>
          )
        })}
      </>
    )
  }
}

/** Send error of the last message, until the continuity chunk fills the slot with all notices. */
function Notice({ app: { chat, ui } }: { app: AppContext }): VNode | null {
  return chat.sendError.value ? (
    <p class="trouble" role="alert">
      {chat.sendError.value === 'offline' ? ui.strings.offline : ui.strings.failed}
      <button onClick={() => void chat.run()}>{ui.strings.retry}</button>
    </p>
  ) : null
}

function Suggestions({ app: { chat, ui } }: { app: AppContext }): VNode | null {
  const suggestions = chat.suggestions.value
  return suggestions.length > 0 ? (
    <div class="suggestions" role="group" aria-label={ui.strings.suggestions}>
      {suggestions.map((text) => (
        <button key={text} dir="auto" onClick={() => void chat.ask(text)}>
          {text}
        </button>
      ))}
    </div>
  ) : null
}
