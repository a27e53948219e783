import { useComputed } from '@preact/signals'
import type { VNode } from 'preact'
import type { Prompt } from '../../../server/prompts/schema.ts'
import { allPrompts } from '../../app/api/all-prompts.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Me } from '../../app/api/session.ts'
import type { Words } from '../../locales/en/prompts.ts'
import { Badge, Empty, Loaded } from '../../ui/page.tsx'
import { costOf, obstacleOf } from './availability.ts'

/** All prompts as cards, filtered here; the filters are in the address. */
export function Library({ words }: { words: Words }): VNode {
  const { api, language, session } = useApp()
  const me = session.me.value
  const prompts = useResource<Prompt[]>(`prompts ${language.value}`, (signal) =>
    allPrompts(api, language.value, signal),
  )
  return (
    <>
      <Filters words={words} />
      <Loaded of={prompts}>{(all) => me && <Cards all={all} me={me} words={words} />}</Loaded>
    </>
  )
}

function Filters({ words }: { words: Words }): VNode {
  const { router, words: common } = useApp()
  const query = router.query.value
  const choices = [
    { name: 'source', label: words.filters.source, options: Object.entries(words.sources) },
    { name: 'kind', label: words.filters.kind, options: Object.entries(words.kinds) },
    { name: 'plan', label: words.filters.plan, options: Object.entries(words.plans) },
    {
      name: 'price',
      label: words.filters.price,
      options: [2, 5, 10, 50].map((most) => [String(most), `≤ ${most}`] as const),
    },
  ]
  return (
    <search class="filters">
      <input
        class="input search-field"
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={query.get('q') ?? ''}
        onInput={(event) => router.setQuery({ q: event.currentTarget.value })}
      />
      {choices.map(({ name, label, options }) => (
        <select
          key={name}
          class="input"
          aria-label={label}
          value={query.get(name) ?? ''}
          onChange={(event) => router.setQuery({ [name]: event.currentTarget.value })}
        >
          <option value="">{`${label}: ${common.value.all}`}</option>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      ))}
      <label class="check">
        <input
          type="checkbox"
          checked={query.has('runnable')}
          onChange={(event) =>
            router.setQuery({ runnable: event.currentTarget.checked ? '1' : undefined })
          }
        />
        {words.runnable}
      </label>
    </search>
  )
}

function Cards({ all, me, words }: { all: Prompt[]; me: Me; words: Words }): VNode {
  const { router, format, language } = useApp()
  const shown = useComputed(() => {
    const query = router.query.value
    const fits = (name: string, value: string): boolean => (query.get(name) ?? value) === value
    const most = Number(query.get('price') ?? Infinity)
    const wanted = (query.get('q') ?? '').toLocaleLowerCase(language.value)
    return all.filter(
      (prompt) =>
        fits('source', prompt.source) &&
        fits('kind', prompt.kind) &&
        fits('plan', prompt.min_plan) &&
        (prompt.credits_cost ?? 0) <= most &&
        (!query.has('runnable') || obstacleOf(prompt, me, words) === undefined) &&
        `${prompt.title} ${prompt.description ?? ''} ${prompt.prompt_id}`
          .toLocaleLowerCase(language.value)
          .includes(wanted),
    )
  })
  if (shown.value.length === 0) {
    return (
      <Empty icon="prompt" title={words.noneFound}>
        {words.noneFoundText}
      </Empty>
    )
  }
  return (
    <div class="grid">
      {shown.value.map((prompt) => {
        const obstacle = obstacleOf(prompt, me, words)
        return (
          <a
            key={prompt.prompt_id}
            class="card prompt-card"
            href={`${BASE}/prompts/${prompt.prompt_id}`}
          >
            <h2>{prompt.title}</h2>
            <p class="soft small">{prompt.description ?? prompt.prompt_id}</p>
            <span class="row">
              <Badge tone={prompt.source === 'workspace' ? 'accent' : 'plain'}>
                {words.kinds[prompt.kind]}
              </Badge>
              <Badge>{costOf(prompt, words, format.value.number)}</Badge>
              {obstacle !== undefined && <Badge tone="warn">{obstacle}</Badge>}
            </span>
          </a>
        )
      })}
    </div>
  )
}
