import { useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { useId } from 'preact/hooks'
import type { Page } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/inbox.ts'
import { Button } from '../../ui/button.tsx'
import { safeUrl } from '../../ui/markdown.tsx'
import { Ago, Avatar, Badge } from '../../ui/page.tsx'
import { channelName, holderOf, shortUrl } from './people.ts'
import type { Thread, ThreadHead } from './thread/thread.ts'

const MAX_TAGS = 10

/** The right column: who the visitor is, where, and what is known. */
export function VisitorCard({
  thread,
  head,
  name,
  words,
  search,
  onBack,
}: {
  thread: Thread
  head: ThreadHead
  name: string
  words: Words
  search: string
  onBack: () => void
}): VNode {
  const { format, language, session, sites } = useApp()
  const { card } = words
  const { identity, visitor, lead } = head
  const email = lead?.email ?? visitor.email
  const phone = lead?.phone ?? visitor.phone
  const page = safeUrl(head.page_url)
  const site = sites.value?.find(({ tenant_id: id }) => id === head.tenant_id)
  const rating = head.feedback.find(({ message_id: id }) => id === null)
  return (
    <aside class="visitor-card" aria-label={card.title}>
      <header class="row">
        <span class="to-thread">
          <Button kind="plain" small icon="left" label={words.thread} onPress={onBack} />
        </span>
        <Avatar name={name} />
        <div class="grow">
          <h2 class="ellipsis">{name}</h2>
          {identity && (
            <span title={identity.is_verified ? card.verifiedHint : card.unverifiedHint}>
              <Badge tone={identity.is_verified ? 'good' : 'plain'}>
                {identity.is_verified ? card.verified : card.unverified}
              </Badge>
            </span>
          )}
        </div>
      </header>
      <dl class="definitions">
        {identity?.subject && <Line label={card.subject}>{identity.subject}</Line>}
        {email && (
          <Line label={card.email}>
            <a href={`mailto:${email}`}>{email}</a>
          </Line>
        )}
        {phone && (
          <Line label={card.phone}>
            <a href={`tel:${phone}`}>{phone}</a>
          </Line>
        )}
        {page && (
          <Line label={card.page}>
            <a href={page} target="_blank" rel="noopener noreferrer">
              {shortUrl(page)}
            </a>
          </Line>
        )}
        {site && <Line label={card.site}>{site.name}</Line>}
        <Line label={card.channel}>{channelName(head.channel, words)}</Line>
        <Line label={card.language}>
          {new Intl.DisplayNames(language.value, { type: 'language' }).of(head.locale)}
        </Line>
        <Line label={card.began}>{format.value.dateTime(head.created_at)}</Line>
        <Line label={words.assignee}>
          <span class="assignee">
            {head.assignee && (
              <Avatar name={head.assignee.name} picture={head.assignee.picture_url} />
            )}
            {holderOf(head, session.me.value?.user.id, words) ?? words.unassigned}
          </span>
        </Line>
        {rating && <Line label={card.rating}>{card.outOf(rating.rating)}</Line>}
      </dl>
      <Tags thread={thread} head={head} words={words} />
      <section>
        <h3>{card.lead}</h3>
        {lead ? (
          <div class="stack tight">
            {lead.interest && (
              <p>
                <span class="soft">{card.interest}: </span>
                {lead.interest}
              </p>
            )}
            <div>
              <Button small href={`${BASE}/leads/${lead.lead_id}`}>
                {card.openLead}
              </Button>
            </div>
          </div>
        ) : (
          <p class="soft">{card.noLead}</p>
        )}
      </section>
      <section>
        <h3>{card.earlier}</h3>
        {head.earlier.length === 0 ? (
          <p class="soft">{card.noEarlier}</p>
        ) : (
          <ul class="earlier">
            {head.earlier.map((each) => (
              <li key={each.session_id}>
                <a href={`${BASE}/inbox/${each.session_id}${search}`}>
                  <span class="ellipsis">{each.last_message?.content ?? words.noMessages}</span>
                  <span class="soft small">
                    <Ago at={each.created_at} />
                  </span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </section>
    </aside>
  )
}

function Line({ label, children }: { label: string; children: ComponentChildren }): VNode {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Tags({ thread, head, words }: { thread: Thread; head: ThreadHead; words: Words }): VNode {
  const { api, toasts, explain } = useApp()
  const id = useId()
  const typed = useSignal('')
  const isWanted = useSignal(false)
  const known = useResource<Page<{ tag: string }>>(isWanted.value ? 'tags' : '', (signal) =>
    api.get('inbox/tags', {}, signal),
  )
  const { tags } = head

  async function save(next: string[]): Promise<void> {
    try {
      await thread.change({ tags: next })
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  return (
    <section>
      <h3>{words.card.tags}</h3>
      <div class="row tight">
        {tags.map((tag) => (
          <span key={tag} class="badge">
            {tag}
            <button
              type="button"
              aria-label={words.removeTag(tag)}
              onClick={() => void save(tags.filter((each) => each !== tag))}
            >
              ×
            </button>
          </span>
        ))}
        {tags.length < MAX_TAGS && (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const tag = typed.value.trim()
              if (tag !== '' && !tags.includes(tag)) void save([...tags, tag])
              typed.value = ''
            }}
          >
            <input
              class="input tag-input"
              aria-label={words.card.addTag}
              placeholder={words.card.addTag}
              list={`${id}-tags`}
              maxLength={30}
              value={typed.value}
              onFocus={() => (isWanted.value = true)}
              onInput={(event) => (typed.value = event.currentTarget.value)}
            />
            <datalist id={`${id}-tags`}>
              {known.value.value?.data.map(({ tag }) => (
                <option key={tag} value={tag}>
                  {tag}
                </option>
              ))}
            </datalist>
          </form>
        )}
      </div>
    </section>
  )
}
