import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/operator.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { BackLink, Badge, Card, Loaded, PageHead } from '../../ui/page.tsx'
import type { Workspace } from './workspaces.tsx'

/** One workspace: plan, credits, add-ons, and the switch that suspends it. */
export function WorkspacePage({ id, words }: { id: string; words: Words }): VNode {
  const { api } = useApp()
  const path = `operator/workspaces/${id}`
  const workspace = useResource<Workspace>(path, (signal) => api.get(path, {}, signal))
  return (
    <div class="stack">
      <BackLink path="/operator">{words.tabs.workspaces}</BackLink>
      <Loaded of={workspace}>
        {(value) => (
          <>
            <Head value={value} path={path} words={words} onChange={workspace.set} />
            <Card title={words.use}>
              <Facts value={value} words={words} />
            </Card>
            <div class="columns">
              <Card title={words.planTitle}>
                <PlanForm value={value} path={path} words={words} onChange={workspace.set} />
              </Card>
              <Card title={words.addonsTitle}>
                <AddonForm path={path} words={words} onAdded={workspace.reload} />
              </Card>
            </div>
          </>
        )}
      </Loaded>
    </div>
  )
}

interface Props {
  value: Workspace
  path: string
  words: Words
  onChange: (value: Workspace) => void
}

function Head({ value, path, words, onChange }: Props): VNode {
  const { api, toasts, explain } = useApp()

  async function suspend(suspended: boolean): Promise<void> {
    try {
      onChange(await api.patch<Workspace>(path, { suspended }))
      const undo = (): void => void suspend(!suspended)
      toasts.done(suspended ? words.isSuspended : words.isResumed, undo)
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  return (
    <PageHead title={value.name} lead={value.ws_id}>
      {value.suspended && <Badge tone="wrong">{words.suspended}</Badge>}
      <Button danger={!value.suspended} onPress={() => suspend(!value.suspended)}>
        {value.suspended ? words.resume : words.suspend}
      </Button>
    </PageHead>
  )
}

function Facts({ value, words }: { value: Workspace; words: Words }): VNode {
  const { format } = useApp()
  const { number, date } = format.value
  const facts: [string, string][] = [
    [words.plan, words.plans[value.plan]],
    [words.used, number(value.credits_used)],
    [words.left, number(value.credits.remaining)],
    [words.addons, number(value.credits.addons)],
    [words.reset, date(value.credits.reset_at)],
    [words.members, number(value.members)],
    [words.sites, number(value.sites)],
    ...(value.ends_at === null
      ? []
      : ([[words.endsAt, date(value.ends_at)]] satisfies [string, string][])),
  ]
  return (
    <dl class="definitions">
      {facts.flatMap(([label, fact]) => [
        <dt key={label}>{label}</dt>,
        <dd key={`${label}-value`}>{fact}</dd>,
      ])}
    </dl>
  )
}

function PlanForm({ value, path, words, onChange }: Props): VNode {
  const { api, toasts, words: common } = useApp()
  const form = useForm()
  const plan = useSignal<string>(value.plan)
  const credits = useSignal(String(value.credits.monthly_limit))

  async function send(): Promise<void> {
    const isOther = plan.value !== value.plan
    const limit = Number(credits.value)
    const body = {
      ...(isOther ? { plan: plan.value } : {}),
      ...(limit === value.credits.monthly_limit ? {} : { monthly_credits: limit }),
    }
    if (Object.keys(body).length > 0) onChange(await api.patch<Workspace>(path, body))
    toasts.done(common.value.saved)
  }

  return (
    <Form form={form} send={send} action={common.value.save}>
      <SelectField
        label={words.plan}
        value={plan}
        options={Object.entries(words.plans).map(([id, label]) => ({ value: id, label }))}
        error={form.errorOf('/plan')}
      />
      <TextField
        label={words.monthly}
        value={credits}
        type="number"
        min={0}
        error={form.errorOf('/monthly_credits')}
      />
    </Form>
  )
}

function AddonForm({
  path,
  words,
  onAdded,
}: {
  path: string
  words: Words
  onAdded: () => Promise<void>
}): VNode {
  const { api, toasts } = useApp()
  const form = useForm()
  const credits = useSignal('')
  const reference = useSignal('')

  async function send(): Promise<void> {
    const body = { credits: Number(credits.value), reference: reference.value }
    await api.post(`${path}/addons`, body)
    toasts.done(words.added)
    credits.value = ''
    reference.value = ''
    await onAdded()
  }

  return (
    <Form form={form} send={send} action={words.addCredits}>
      <TextField
        label={words.credits}
        value={credits}
        type="number"
        min={1}
        error={form.errorOf('/credits')}
      />
      <TextField
        label={words.reference}
        hint={words.referenceHint}
        value={reference}
        error={form.errorOf('/reference')}
      />
    </Form>
  )
}
