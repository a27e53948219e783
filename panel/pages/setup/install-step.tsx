import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import { EmbedGuide } from '../../embed/installation.tsx'
import { Button } from '../../ui/button.tsx'
import type { StepProps } from './step.ts'

/** The tag for the website, and the light that turns green when a page with it was seen. */
export function InstallStep({ words, next }: StepProps): VNode {
  const { site } = useApp()
  return (
    <div class="stack">
      <div class="card">
        {site.value && <EmbedGuide tenantId={site.value.tenant_id} words={words.embed} />}
      </div>
      <div class="row">
        <Button kind="primary" onPress={next}>
          {words.toPanel}
        </Button>
      </div>
    </div>
  )
}
