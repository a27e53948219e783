import type { VNode } from 'preact'
import { Markdown } from '../markdown.tsx'
import { Message } from './message.tsx'
import type { View } from './view.ts'

/** After a pause of this length the time is shown again. */
const PAUSE_MS = 900_000

/** Everything between header and input. */
export function Conversation({ view }: { view: View }): VNode {
  const { chat, words, config } = view
  const ContactForm = chat.form.value === 'open' && view.ContactForm.value
  const answer = chat.answer.value
  return (
    <div class="middle">
      <div class="scroller">
        <div class="content">
          <p class="greeting" dir="auto">
            {config?.greeting || words.greeting}
          </p>
          {chat.hasLostHistory.value && <p class="note">{words.historyFailed}</p>}
          <div
            class="log"
            role="log"
            // `startSpeech` says what comes, in whole sentences.
            aria-live="off"
            aria-label={words.conversation}
            tabIndex={chat.said.value.length > 0 ? 0 : -1}
          >
            <Lines view={view} />
            {answer !== undefined && (answer !== '' || chat.isBusy()) && (
              <div class="line assistant">
                <div class="bubble" dir="auto">
                  {answer === '' ? <span class="dots" /> : <Markdown text={answer} />}
                </div>
              </div>
            )}
          </div>
          <Notices view={view} />
          <Suggestions view={view} />
          {ContactForm && <ContactForm />}
          {chat.form.value === 'offered' && (
            <p class="offer">
              {words.contactOffer}
              <button onClick={chat.openForm}>{words.contactOpen}</button>
            </p>
          )}
        </div>
      </div>
      {view.hasNews.value && (
        <button class="news" onClick={view.showEnd}>
          {words.newMessages}
        </button>
      )}
    </div>
  )
}

function Lines({ view }: { view: View }): VNode {
  const { chat, words, config } = view
  let before = 0
  return (
    <>
      {chat.said.value.map((line) => {
        const isLater = line.at - before > PAUSE_MS
        before = line.at
        return (
          <div key={line.id}>
            {isLater && <time>{formatTime(line.at, words.tag)}</time>}
            <Message line={line} name={config?.name ?? words.title} words={words} />
          </div>
        )
      })}
    </>
  )
}

function formatTime(at: number, language: string): string {
  const isToday = Date.now() - at < 43_200_000
  return new Date(at).toLocaleString(language, {
    ...(isToday ? {} : { dateStyle: 'long' }),
    timeStyle: 'short',
  })
}

/** What became of the last message, and what can be done about it. */
function Notices({ view }: { view: View }): VNode | null {
  const { chat, words } = view
  const trouble = chat.trouble.value
  if (trouble !== undefined)
    return (
      <p class={trouble === 'unpaid' ? 'offer' : 'trouble'} role="alert">
        {words[trouble]}
        {chat.canRetry() && <button onClick={() => void chat.retry()}>{words.retry}</button>}
      </p>
    )
  if (chat.countdown.value > 0) return <p class="note">{words.waiting(chat.countdown.value)}</p>
  return chat.isWithPeople.value ? <p class="note">{words.withPeople}</p> : null
}

function Suggestions({ view: { chat, words } }: { view: View }): VNode | null {
  const suggestions = chat.suggestions.value
  if (suggestions.length === 0 || chat.isBusy()) return null
  return (
    <div class="suggestions" role="group" aria-label={words.suggestions}>
      {suggestions.map((text) => (
        <button key={text} dir="auto" onClick={() => void chat.ask(text)}>
          {text}
        </button>
      ))}
    </div>
  )
}
