import type { VNode } from 'preact'
import type { LocalizedText, PageRules, Tenant } from '../../../server/tenants/schema.ts'
import { LocalizedField } from '../../ui/localized-field.tsx'
import type { PartProps } from './part.ts'
import { PlainCheck, PlainField } from '../../ui/plain-field.tsx'

type Replies = Tenant['quick_replies']
type Invitation = NonNullable<PageRules['invitation']>

/** Quick replies as lines of text, by language where the site has them so. */
function linesOf(replies: Replies, own: string): LocalizedText {
  if (!Array.isArray(replies)) {
    return Object.fromEntries(
      Object.entries(replies).map(([locale, list]) => [locale, (list ?? []).join('\n')]),
    )
  }
  const inLanguage = (locale: string): string =>
    replies
      .map((reply) => (typeof reply === 'string' ? reply : (reply[locale] ?? '')))
      .filter((reply) => reply !== '')
      .join('\n')
  const locales = new Set(
    replies.flatMap((reply) => (typeof reply === 'string' ? [] : Object.keys(reply))),
  )
  if (locales.size === 0) return inLanguage(own)
  return Object.fromEntries([...locales].map((locale) => [locale, inLanguage(locale)]))
}

function repliesOf(lines: LocalizedText): Replies {
  const split = (text: string): string[] =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  if (typeof lines === 'string') return split(lines)
  return Object.fromEntries(
    Object.entries(lines).map(([locale, text]) => [locale, split(text ?? '')]),
  )
}

/** Greeting, quick replies and the invitation beside the launcher, each per language. */
export function Texts({ draft, change, words, errorOf }: PartProps): VNode {
  const own = draft.locale
  const page = draft.theme.page ?? {}
  const { invitation } = page

  function setInvitation(next: Invitation | undefined): void {
    const { invitation: _, ...rest } = page
    const changed = next ? { ...rest, invitation: next } : rest
    change({ theme: { ...draft.theme, page: changed } })
  }

  return (
    <>
      <LocalizedField
        label={words.greeting}
        hint={words.greetingHint}
        own={own}
        words={words}
        value={draft.greeting}
        onInput={(greeting) => change({ greeting })}
        error={errorOf('/greeting')}
      />
      <LocalizedField
        label={words.quickReplies}
        hint={words.quickRepliesHint}
        own={own}
        words={words}
        value={linesOf(draft.quick_replies, own)}
        onInput={(lines) => change({ quick_replies: repliesOf(lines) })}
        error={errorOf('/quick_replies')}
      />
      <PlainCheck
        label={words.invite}
        hint={words.inviteHint}
        value={invitation !== undefined}
        onPick={(isOn) =>
          setInvitation(isOn ? { text: words.invitationExample, after_seconds: 20 } : undefined)
        }
      />
      {invitation && (
        <>
          <LocalizedField
            label={words.invitation}
            own={own}
            words={words}
            value={invitation.text}
            onInput={(text) => setInvitation({ ...invitation, text })}
            error={errorOf('/theme/page/invitation/text')}
          />
          <PlainField
            label={words.afterSeconds}
            type="number"
            min={1}
            max={3600}
            value={String(invitation.after_seconds ?? '')}
            onInput={(text) => {
              const { after_seconds: _, ...rest } = invitation
              setInvitation(text === '' ? rest : { ...rest, after_seconds: Number(text) })
            }}
          />
        </>
      )}
    </>
  )
}
