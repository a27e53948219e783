import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { CreatedAction } from '../../../server/actions/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useStoredDraft } from '../../app/stored-draft.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/actions.ts'
import { Button } from '../../ui/button.tsx'
import { useForm } from '../../ui/form.tsx'
import { PageHead } from '../../ui/page.tsx'
import { ActionForm } from './action-form.tsx'
import { definitionOf, emptyDraft, newHeaders, type Draft } from './draft.ts'
import { explainActionField } from './field-problems.ts'
import { SecretDialog } from './secret-dialog.tsx'

/** A new action, which is off until it is tested. What is typed survives a reload, but for secrets. */
export function NewActionForm({ base, words }: { base: string; words: Words }): VNode {
  const { api, router, words: common } = useApp()
  const form = useForm((message) => explainActionField(message, words.problems))
  const { draft, isChanged, forget, discard } = useStoredDraft<Draft>(
    `new ${base}`,
    emptyDraft,
    withoutSecrets,
  )
  const created = useSignal<CreatedAction | undefined>(undefined)

  async function send(): Promise<void> {
    const { value } = draft
    const body = { ...definitionOf(value), headers: newHeaders(value) }
    created.value = await api.post<CreatedAction>(base, body)
    forget()
  }

  return (
    <>
      <PageHead title={words.newTitle} lead={words.newLead} />
      <ActionForm
        draft={draft}
        form={form}
        words={words}
        action={words.create}
        send={send}
        extra={
          <>
            <Button href={`${BASE}/actions`}>{common.value.cancel}</Button>
            {isChanged.value && (
              <Button kind="plain" onPress={discard}>
                {words.startOver}
              </Button>
            )}
          </>
        }
      />
      {created.value && (
        <SecretDialog
          secret={created.value.secret}
          words={words}
          onClose={() =>
            router.go(`/actions/${created.value?.action_id ?? ''}/test`, { replace: true })
          }
        />
      )}
    </>
  )
}

/** Returns the draft as the browser may keep it. */
export function withoutSecrets(draft: Draft): Draft {
  return { ...draft, headers: draft.headers.map((row) => ({ ...row, value: '' })) }
}
