import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Tenant } from '../../../server/tenants/schema.ts'
import { ApiError } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import { LogoField } from '../../embed/logo-field.tsx'
import { WidgetPreview } from '../../embed/widget-preview.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import type { StepProps } from './step.ts'

/** The preview follows the fields when the typing pauses. */
const TYPING_PAUSE_MS = 400
const FIRST_COLOR = '#2255ee'
const DEMO_TENANT = 'demo'

/** Returns an id for a site's name: `Diş Kliniği` gives `dis-klinigi`. */
export function slugOf(name: string): string {
  const plain = name
    .toLocaleLowerCase('tr')
    .replaceAll('ı', 'i')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 32)
  return plain.length < 3 ? `site-${plain}` : plain
}

/** The site's name, color and logo, beside its widget. */
export function SiteStep({ words, next }: StepProps): VNode {
  const app = useApp()
  const { api, sites } = app
  const form = useForm()
  const own = sites.value?.filter(({ tenant_id: id }) => id !== DEMO_TENANT) ?? []
  const site = own.find(({ tenant_id: id }) => id === app.site.value?.tenant_id) ?? own[0]
  const name = useSignal('')
  const color = useSignal(FIRST_COLOR)
  const logo = useSignal('')
  const shown = useSignal({ name: '', logo: '' })

  useEffect(() => {
    if (!site) return
    name.value = site.name
    color.value = site.theme.color ?? FIRST_COLOR
    logo.value = site.theme.logo_url ?? ''
  }, [site?.tenant_id])

  useEffect(() => {
    const timer = setTimeout(() => {
      shown.value = { name: name.value.trim(), logo: logo.value.trim() }
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [name.value, logo.value])

  async function send(): Promise<void> {
    const { logo_url: _, ...kept } = site?.theme ?? {}
    const theme = {
      ...kept,
      color: color.value,
      ...(logo.value === '' ? {} : { logo_url: logo.value }),
    }
    const saved = site
      ? await api.patch<Tenant>(`tenants/${site.tenant_id}`, { name: name.value, theme })
      : await addSite(theme)
    await app.reloadSites()
    app.chooseSite(saved.tenant_id)
  }

  /** A slug that somebody else has gets a number. */
  async function addSite(theme: Tenant['theme']): Promise<Tenant> {
    const slug = slugOf(name.value)
    const body = { name: name.value, theme, locale: app.language.value }
    for (let attempt = 1; ; attempt++) {
      const id = attempt === 1 ? slug : `${slug}-${attempt}`
      try {
        return await api.post<Tenant>('tenants', { ...body, tenant_id: id })
      } catch (error) {
        const isTaken = error instanceof ApiError && error.code === 'conflict'
        if (!isTaken || attempt === 20) throw error
      }
    }
  }

  return (
    <div class="columns">
      <div class="card">
        <Form form={form} send={send} done={next} action={words.next}>
          <TextField
            label={words.siteName}
            hint={words.siteNameHint}
            value={name}
            required
            error={form.errorOf('/name')}
          />
          <TextField label={words.color} value={color} type="color" />
          <LogoField
            label={words.logo}
            words={words.embed.logo}
            value={logo.value}
            onChange={(address) => (logo.value = address)}
            error={form.errorOf('/theme/logo_url')}
          />
        </Form>
      </div>
      <WidgetPreview
        tenantId={site?.tenant_id}
        title={words.preview}
        locale={app.language.value}
        color={color.value}
        name={shown.value.name || words.newSite}
        logo={shown.value.logo}
      />
    </div>
  )
}
