import { Component, type VNode } from 'preact'
import type { Line } from '../chat/chat.ts'
import { Markdown } from './markdown.tsx'
import { Message } from './message.tsx'
import type { Parts, View } from './app-context.ts'

/** Everything between head and input. */
export function Conversation({ view }: { view: View }): VNode {
  const { chat, strings, config } = view
  const { before, time, live, notices, after } = view.parts.value
  const answer = chat.answer.value
  const waiting = chat.outbox.value.slice(answer === undefined ? 0 : 1)
  return (
    <div class="middle">
      <div class="scroller">
        <div class="content">
          <p class="greeting" dir="auto">
            {config?.greeting || strings.greeting}
          </p>
          {before?.()}
          <div
            class="log"
            role="log"
            // `speakAnswers` says what comes, in whole sentences.
            aria-live="off"
            aria-label={strings.conversation}
            tabIndex={0}
          >
            <Lines lines={chat.lines.value} time={time} view={view} />
            {answer !== undefined && (answer || chat.isBusy()) && (
              <div class="line assistant">
                <div class="bubble writing" dir="auto">
                  {answer ? <Markdown text={answer} /> : <span class="dots" />}
                </div>
              </div>
            )}
            {waiting.map(({ id, message }) => (
              <div key={id} class={`line visitor ${answer === undefined ? '' : 'waiting'}`}>
                <div class="bubble" dir="auto">
                  {message.message}
                </div>
              </div>
            ))}
            {live?.()}
          </div>
          {notices ? notices() : <Notice view={view} />}
          {chat.isBusy() || chat.form.value ? null : <Suggestions view={view} />}
          {after?.map((draw) => draw())}
        </div>
      </div>
      {view.hasNews.value && (
        <button class="news" onClick={view.showEnd}>
          {strings.newMessages}
        </button>
      )}
    </div>
  )
}

/** A few more than fit the panel. */
const LINES_AT_ONCE = 10

interface LinesProps {
  lines: Line[]
  time: Parts['time']
  view: View
}

/** The lines: many, and seldom changed while the rest is, so they are drawn from the end, in steps. */
class Lines extends Component<LinesProps> {
  shown = 0

  override shouldComponentUpdate({ lines, time }: LinesProps): boolean {
    return lines !== this.props.lines || time !== this.props.time
  }

  override render({ lines, time, view }: LinesProps): VNode {
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
              <Message line={line} view={view} />
            </div>
          )
        })}
      </>
    )
  }
}

/** What became of the last message, until the chunk that knows more has been loaded. */
function Notice({ view: { chat, strings } }: { view: View }): VNode | null {
  return chat.sendError.value ? (
    <p class="trouble" role="alert">
      {chat.sendError.value === 'offline' ? strings.offline : strings.failed}
      <button onClick={() => void chat.run()}>{strings.retry}</button>
    </p>
  ) : null
}

function Suggestions({ view: { chat, strings } }: { view: View }): VNode | null {
  const suggestions = chat.suggestions.value
  return suggestions.length > 0 ? (
    <div class="suggestions" role="group" aria-label={strings.suggestions}>
      {suggestions.map((text) => (
        <button key={text} dir="auto" onClick={() => void chat.ask(text)}>
          {text}
        </button>
      ))}
    </div>
  ) : null
}
