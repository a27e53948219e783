import type { VNode } from 'preact'
import { BASE } from '../../app/router.ts'
import { useApp } from '../../app/app-context.ts'
import type { PageProps } from '../../app/pages.ts'
import type { Words } from '../../locales/en/prompts.ts'
import { Button } from '../../ui/button.tsx'
import { PageHead, Tabs } from '../../ui/page.tsx'
import { Editor } from './editor.tsx'
import { Library } from './library.tsx'
import { Memory } from './memory.tsx'
import { PromptPage } from './prompt-page.tsx'
import { RunList } from './run-list.tsx'
import './prompts.css'

/** In the place of a prompt's name, which has at least three letters. */
const NO_PROMPT = '-'

/** The library and one's own prompts, one of them, the history of runs, or the memory. */
export function Page({ words, params }: PageProps<Words>): VNode {
  const { session } = useApp()
  const { id = NO_PROMPT, tab = '' } = params
  const isManager = session.me.value?.user.role !== 'operator'
  if (id !== NO_PROMPT) return <PromptPage key={id} id={id} tab={tab} words={words} />
  if (tab === 'new') return <Editor words={words} />
  return (
    <>
      <PageHead title={words.title} lead={tab === 'memory' ? words.memoryLead : words.lead}>
        {isManager && (
          <Button icon="plus" kind="primary" href={`${BASE}/prompts/${NO_PROMPT}/new`}>
            {words.newPrompt}
          </Button>
        )}
      </PageHead>
      <Tabs
        label={words.title}
        current={tab === '' ? '/prompts' : `/prompts/${NO_PROMPT}/${tab}`}
        items={[
          { path: '/prompts', label: words.tabs.library },
          { path: `/prompts/${NO_PROMPT}/runs`, label: words.tabs.runs },
          { path: `/prompts/${NO_PROMPT}/memory`, label: words.tabs.memory },
        ]}
      />
      {tab === 'runs' ? (
        <RunList words={words} />
      ) : tab === 'memory' ? (
        <Memory words={words} />
      ) : (
        <Library words={words} />
      )}
    </>
  )
}
