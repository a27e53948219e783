import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { WorkspaceSettings } from '../../../server/workspaces/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import { timeZoneOptions } from '../../app/language/time-zones.ts'
import type { Words } from '../../locales/en/settings.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Card, Loaded } from '../../ui/page.tsx'

const LANGUAGES = ['tr', 'en', 'de', 'ar'] as const

/** Name, language and time zone of the workspace. */
export function WorkspaceForm({ words }: { words: Words }): VNode {
  const { api } = useApp()
  const settings = useResource<WorkspaceSettings>('workspace', (signal) =>
    api.get('workspace', {}, signal),
  )
  return <Loaded of={settings}>{(value) => <Fields settings={value} words={words} />}</Loaded>
}

function Fields({ settings, words }: { settings: WorkspaceSettings; words: Words }): VNode {
  const { api, session, toasts, words: common } = useApp()
  const form = useForm()
  const name = useSignal(settings.name)
  const locale = useSignal(settings.locale)
  const timeZone = useSignal(settings.time_zone)
  const languages = LANGUAGES.map((value) => ({ value, label: words.languages[value] }))
  const isOther = !languages.some(({ value }) => value === settings.locale)

  async function send(): Promise<void> {
    const body = { name: name.value, locale: locale.value, time_zone: timeZone.value }
    await api.patch('workspace', body)
    await session.refresh()
    toasts.done(common.value.saved)
  }

  return (
    <div class="settings">
      <Card>
        <Form form={form} send={send} action={common.value.save}>
          <TextField
            label={words.name}
            value={name}
            maxLength={120}
            error={form.errorOf('/name')}
          />
          <SelectField
            label={words.language}
            hint={words.languageHint}
            value={locale}
            options={
              isOther
                ? [{ value: settings.locale, label: settings.locale }, ...languages]
                : languages
            }
          />
          <SelectField
            label={words.timeZone}
            hint={words.timeZoneHint}
            value={timeZone}
            options={timeZoneOptions(settings.time_zone)}
          />
        </Form>
      </Card>
    </div>
  )
}
