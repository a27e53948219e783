import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Tenant, TenantPatch } from '../../../server/tenants/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { WidgetPreview } from '../../embed/widget-preview.tsx'
import type { Words } from '../../locales/en/widget-settings.ts'
import { Button } from '../../ui/button.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Appearance } from './appearance.tsx'
import { FormFields } from './form-fields.tsx'
import { PageFields } from './page-fields.tsx'
import { Texts } from './texts.tsx'

const LANGUAGES = ['tr', 'en', 'de', 'ar'] as const
const PARTS = { appearance: Appearance, texts: Texts, forms: FormFields, pages: PageFields }
const FIELDS: Record<keyof typeof PARTS, readonly (keyof Tenant & keyof TenantPatch)[]> = {
  appearance: ['name', 'theme', 'locale'],
  texts: ['greeting', 'quick_replies', 'theme'],
  forms: ['forms', 'handoff', 'privacy'],
  pages: ['theme', 'allowed_origins', 'active', 'mcp'],
}

/** The fields of a tab beside the real widget, which shows what was saved and the color at once. */
export function Editor({
  site,
  tab,
  words,
}: {
  site: Tenant
  tab: keyof typeof PARTS
  words: Words
}): VNode {
  const app = useApp()
  const form = useForm()
  const draft = useSignal(site)
  const version = useSignal(0)
  const theme = useSignal<'light' | 'dark'>('light')
  const size = useSignal<'desktop' | 'phone'>('desktop')
  const locale = useSignal<string>(site.locale)
  const Part = PARTS[tab]

  async function send(): Promise<void> {
    const changes: TenantPatch = Object.fromEntries(
      FIELDS[tab].map((field) => [field, draft.value[field]]),
    )
    await app.api.patch<Tenant>(`tenants/${site.tenant_id}`, changes)
    await app.reloadSites()
    version.value += 1
  }

  return (
    <div class="columns">
      <div class="card">
        <Form
          form={form}
          send={send}
          done={() => app.toasts.done(app.words.value.saved)}
          action={app.words.value.save}
        >
          <Part
            draft={draft.value}
            change={(changes) => (draft.value = { ...draft.value, ...changes })}
            words={words}
            errorOf={form.errorOf}
          />
        </Form>
      </div>
      <div class="stack tight">
        <div class="row between">
          <div class="row" role="group" aria-label={words.preview}>
            <Button
              small
              kind="plain"
              icon="desktop"
              label={words.desktop}
              pressed={size.value === 'desktop'}
              onPress={() => (size.value = 'desktop')}
            />
            <Button
              small
              kind="plain"
              icon="phone"
              label={words.phone}
              pressed={size.value === 'phone'}
              onPress={() => (size.value = 'phone')}
            />
            <Button
              small
              kind="plain"
              pressed={theme.value === 'dark'}
              onPress={() => (theme.value = theme.value === 'dark' ? 'light' : 'dark')}
            >
              {words.dark}
            </Button>
          </div>
          <div class="row" role="group" aria-label={words.language}>
            {LANGUAGES.map((each) => (
              <Button
                key={each}
                small
                kind="plain"
                pressed={locale.value === each}
                onPress={() => (locale.value = each)}
              >
                {each.toUpperCase()}
              </Button>
            ))}
          </div>
        </div>
        <WidgetPreview
          tenantId={site.tenant_id}
          title={words.preview}
          theme={theme.value}
          size={size.value}
          locale={locale.value}
          color={draft.value.theme.color}
          version={version.value}
        />
        <p class="soft small">{words.previewHint}</p>
      </div>
    </div>
  )
}
