import type { VNode } from 'preact'
import type { Prompt, PromptDefinition, PromptVersion } from '../../../server/prompts/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useList } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/prompts.ts'
import { Ago, Card, Failure, Skeleton } from '../../ui/page.tsx'
import { More } from '../../ui/table.tsx'
import { differenceOf } from './difference.ts'

/** The versions of one's own prompt, each with its difference from the one before. */
export function Versions({ prompt, words }: { prompt: Prompt; words: Words }): VNode {
  const { api } = useApp()
  const path = `prompts/${prompt.prompt_id}/versions`
  const list = useList<PromptVersion>(path, (cursor, signal) =>
    api.get(path, { cursor, limit: 20 }, signal),
  )
  const rows = list.rows.value
  if (rows === undefined) {
    return list.error.value === undefined ? (
      <Skeleton />
    ) : (
      <Failure error={list.error.value} retry={list.reload} />
    )
  }
  return (
    <div class="stack">
      {rows.map((row, at) => {
        const before = rows[at + 1]
        return (
          <Card
            key={row.version}
            title={words.version(row.version)}
            actions={
              <span class="soft small">
                <Ago at={row.created_at} />
              </span>
            }
          >
            {row.version === 1 ? (
              <p class="soft small">{words.firstVersion}</p>
            ) : (
              before && <Difference before={before} row={row} words={words} />
            )}
          </Card>
        )
      })}
      <More list={list} />
    </div>
  )
}

function Difference({
  before,
  row,
  words,
}: {
  before: PromptVersion
  row: PromptVersion
  words: Words
}): VNode {
  const lines = differenceOf(textOf(before.definition), textOf(row.definition))
  if (lines.every(({ kind }) => kind === 'same')) return <p class="soft">{words.noChange}</p>
  return (
    <>
      <p class="soft small">{words.changedFrom(before.version)}</p>
      <div class="difference">
        {lines.map(({ at, kind, text }) => (
          <div key={at} class={kind}>
            {kind === 'same' ? (
              `  ${text}`
            ) : kind === 'more' ? (
              <ins>{`+ ${text}`}</ins>
            ) : (
              <del>{`− ${text}`}</del>
            )}
          </div>
        ))}
      </div>
    </>
  )
}

/** Returns a definition as lines that people can compare. */
function textOf(definition: PromptDefinition): string {
  const { template, instructions = '', inputs_schema: schema, ...rest } = definition
  const parts = [
    ...Object.entries(rest).map(([name, value]) => `${name}: ${String(value)}`),
    '',
    template,
    ...(instructions === '' ? [] : ['', instructions]),
    '',
    JSON.stringify(schema, null, 2),
  ]
  return parts.join('\n')
}
