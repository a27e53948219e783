import type { VNode } from 'preact'
import type { Page } from '../../../app/api/api.ts'
import { useApp } from '../../../app/app-context.ts'
import { useResource } from '../../../app/api/resource.ts'
import type { Words } from '../../../locales/en/inbox.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Avatar, Loaded } from '../../../ui/page.tsx'
import type { ThreadHead } from './thread.ts'

interface Colleague {
  user_id: string
  name: string
  picture_url: string | null
  state: 'online' | 'away' | 'off'
}

const TONES = { online: 'good', away: 'warn', off: '' } as const
const ORDER = ['online', 'away', 'off']

/** Gives the conversation to a colleague, to oneself, or to nobody. */
export function AssignDialog({
  head,
  words,
  onPick,
  onClose,
}: {
  head: ThreadHead
  words: Words
  onPick: (person: { user_id: string; name: string } | null) => void
  onClose: () => void
}): VNode {
  const { api, session } = useApp()
  const people = useResource<Page<Colleague>>('people', (signal) => api.get('presence', {}, signal))
  const me = session.me.value?.user.id
  return (
    <Dialog title={words.assignTo} onClose={onClose}>
      <Loaded of={people}>
        {({ data }) => (
          <div class="choices">
            {data
              .toSorted(
                (one, other) =>
                  Number(other.user_id === me) - Number(one.user_id === me) ||
                  ORDER.indexOf(one.state) - ORDER.indexOf(other.state) ||
                  one.name.localeCompare(other.name),
              )
              .map((person) => (
                <button
                  key={person.user_id}
                  type="button"
                  aria-current={person.user_id === head.assignee?.user_id}
                  onClick={() => onPick(person)}
                >
                  <Avatar name={person.name} picture={person.picture_url} />
                  <span class="grow ellipsis">
                    {person.user_id === me ? `${person.name} (${words.you})` : person.name}
                  </span>
                  <span class={`dot ${TONES[person.state]}`} />
                  <span class="soft small">{words.presence[person.state]}</span>
                </button>
              ))}
            {head.assignee && (
              <button type="button" onClick={() => onPick(null)}>
                {words.nobody}
              </button>
            )}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}
