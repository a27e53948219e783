import type { VNode } from 'preact'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/home.ts'
import { Icon } from '../../ui/icon.tsx'
import { Card } from '../../ui/page.tsx'
import { STEPS, type Overview, type Step } from './overview.ts'

const PATHS: Record<Step, string> = {
  site: '/widget',
  knowledge: '/knowledge',
  asked: '/knowledge/console',
  installed: '/widget/install',
  team: '/team',
}

/** The first steps of a workspace; gone once all are done. */
export function Checklist({
  done,
  words,
}: {
  done: Overview['checklist']
  words: Words
}): VNode | null {
  const count = STEPS.filter((step) => done[step]).length
  if (count === STEPS.length) return null
  return (
    <Card title={words.checklist} actions={<span class="soft">{`${count}/${STEPS.length}`}</span>}>
      <div class="progress">
        <i style={{ width: `${(count / STEPS.length) * 100}%` }} />
      </div>
      <ol class="checklist">
        {STEPS.map((step) => (
          <li key={step} class={done[step] ? 'done' : undefined}>
            <a href={BASE + PATHS[step]}>
              <span class="tick">{done[step] && <Icon name="check" />}</span>
              <span class="grow">
                {words.steps[step]}
                {done[step] && <span class="visually-hidden"> ({words.done})</span>}
              </span>
              <Icon name="right" />
            </a>
          </li>
        ))}
      </ol>
    </Card>
  )
}
