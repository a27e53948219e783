import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Prompt } from '../../../server/prompts/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/prompts.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Loaded, PageHead, Tabs } from '../../ui/page.tsx'
import { PromptFields } from './editor.tsx'
import { RunForm } from './run-form.tsx'
import { RunList } from './run-list.tsx'
import { Versions } from './versions.tsx'

interface Props {
  prompt: Prompt
  tab: string
  words: Words
}

/** One prompt: run it, see its runs, and change one's own. */
export function PromptPage({ id, tab, words }: { id: string; tab: string; words: Words }): VNode {
  const { api, language } = useApp()
  const prompt = useResource<Prompt>(`${id} ${language.value}`, (signal) =>
    api.get(`prompts/${id}`, { locale: language.value }, signal),
  )
  return (
    <Loaded of={prompt}>
      {(value) => (
        <>
          <Head prompt={value} tab={tab} words={words} />
          {tab === 'edit' && value.source === 'workspace' ? (
            <PromptFields
              key={value.version}
              prompt={value}
              words={words}
              onSaved={(saved) => prompt.set(saved)}
            />
          ) : tab === 'versions' && value.source === 'workspace' ? (
            <Versions key={value.version} prompt={value} words={words} />
          ) : tab === 'runs' ? (
            <RunList prompt={value} words={words} />
          ) : (
            <RunForm key={`${id} ${language.value}`} prompt={value} words={words} />
          )}
        </>
      )}
    </Loaded>
  )
}

function Head({ prompt, tab, words }: Props): VNode {
  const { api, router, session, toasts } = useApp()
  const isLeaving = useSignal(false)
  const isManager = session.me.value?.user.role !== 'operator'
  const isOwn = prompt.source === 'workspace'
  const base = `/prompts/${prompt.prompt_id}`
  const tabs = isOwn && isManager ? (['edit', 'versions', 'runs'] as const) : (['runs'] as const)
  return (
    <>
      <PageHead
        title={prompt.title}
        lead={
          <>
            <a href={`${BASE}/prompts`}>{words.title}</a> · <code>{prompt.prompt_id}</code>
            {prompt.description !== null && ` · ${prompt.description}`}
          </>
        }
      >
        {isManager && (
          <Button href={`${BASE}/prompts/-/new?copy=${prompt.prompt_id}`} icon="copy">
            {words.copyOwn}
          </Button>
        )}
        {isOwn && isManager && (
          <Button kind="plain" danger onPress={() => (isLeaving.value = true)}>
            {words.remove}
          </Button>
        )}
      </PageHead>
      <Tabs
        label={prompt.title}
        current={tab === '' ? base : `${base}/${tab}`}
        items={[
          { path: base, label: words.promptTabs.run },
          ...tabs.map((each) => ({ path: `${base}/${each}`, label: words.promptTabs[each] })),
        ]}
      />
      {isLeaving.value && (
        <Confirm
          title={words.removeTitle(prompt.title)}
          action={words.remove}
          onConfirm={async () => {
            await api.delete(`prompts/${prompt.prompt_id}`)
            toasts.done(words.removed(prompt.title))
            router.go('/prompts')
          }}
          onClose={() => (isLeaving.value = false)}
        >
          <p>{words.removeText}</p>
        </Confirm>
      )}
    </>
  )
}
