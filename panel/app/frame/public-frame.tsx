import type { VNode } from 'preact'
import { Brand } from '../../ui/icon.tsx'
import { LanguageSwitch } from '../language/language-switch.tsx'
import { Failure, Skeleton } from '../../ui/page.tsx'
import { PageHost, type Match } from './page-host.tsx'

/** Pages that need the whole window. */
const WIDE = new Set(['setup', 'operator'])

/** The frame of pages before the sign-in: a card in the middle. */
export function PublicFrame({ match }: { match: Match }): VNode {
  if (WIDE.has(match.entry.name)) return <PageHost match={match} />
  return (
    <div class="centered">
      <main>
        <div class="brand">
          <Brand />
          Sohbet
        </div>
        <div class="card">
          <PageHost match={match} />
        </div>
        <p class="other-language">
          <LanguageSwitch />
        </p>
      </main>
    </div>
  )
}

/** Until it is known who is signed in: nothing at first, lines if it takes long, or why it failed. */
export function StartFrame({
  error,
  retry,
}: {
  error: unknown
  retry: () => Promise<void>
}): VNode {
  return (
    <div class="centered">
      <main>
        {error === undefined ? (
          <Skeleton />
        ) : (
          <>
            <h1 class="brand">
              <Brand />
              Sohbet
            </h1>
            <div class="card">
              <Failure error={error} retry={retry} />
            </div>
          </>
        )}
      </main>
    </div>
  )
}
