import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import { AskConsole } from '../../knowledge/ask-console.tsx'
import { Button } from '../../ui/button.tsx'
import type { StepProps } from './step.ts'

/** Questions made from the documents, their answers with sources, and what to do if one is wrong. */
export function AskStep({ words, next }: StepProps): VNode {
  const { site } = useApp()
  return (
    <div class="stack">
      {site.value && <AskConsole tenantId={site.value.tenant_id} words={words.ask} />}
      <div class="row">
        <Button kind="primary" onPress={next}>
          {words.next}
        </Button>
      </div>
    </div>
  )
}
