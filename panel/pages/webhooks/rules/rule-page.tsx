import { useSignal } from '@preact/signals'
import { Fragment, type VNode } from 'preact'
import type { Rule, RuleDelivery } from '../../../../server/rules/schema.ts'
import type { Page } from '../../../app/api/api.ts'
import { useApp } from '../../../app/app-context.ts'
import { useResource } from '../../../app/api/resource.ts'
import { BASE } from '../../../app/router.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/field.tsx'
import { Badge, Card, Loaded, PageHead } from '../../../ui/page.tsx'
import { Deliveries } from '../deliveries/deliveries.tsx'
import { EndpointActions } from '../endpoint-actions.tsx'
import { eventsOf, RuleForm } from './rule-form.tsx'

const STATES = 'waiting sending held delivered dead_letter failed cancelled expired'.split(' ')

/** One rule and what it sent; operators see what it sent alone. */
export function RulePage({
  id,
  words,
  isManager,
}: {
  id: string
  words: Words
  isManager: boolean
}): VNode {
  const { api } = useApp()
  const path = `webhooks/rules-engine/rules/${id}`
  const rule = useResource<Rule>(isManager ? path : '', (signal) => api.get(path, {}, signal))
  const revision = useSignal(0)
  return (
    <div class="stack">
      <p>
        {isManager ? (
          <a href={`${BASE}/webhooks/rules`}>{words.tabs.rules}</a>
        ) : (
          <a href={`${BASE}/webhooks`}>{words.tabs['dead-letters']}</a>
        )}
      </p>
      {isManager ? (
        <Loaded of={rule}>
          {(value) => (
            <RuleView
              value={value}
              path={path}
              words={words}
              onChange={rule.set}
              onTested={() => (revision.value += 1)}
            />
          )}
        </Loaded>
      ) : (
        <PageHead title={words.deliveries} />
      )}
      <Deliveries
        path={path}
        states={STATES}
        words={words}
        revision={revision.value}
        read={async (cursor, signal, state) => {
          const page = await api.get<Page<RuleDelivery>>(
            `${path}/deliveries`,
            { cursor, limit: 50, state: state === '' ? undefined : state },
            signal,
          )
          return { ...page, data: page.data.map((row) => ({ ...row, id: row.webhook_id })) }
        }}
        canResend={(row) => row.state === 'dead_letter'}
        resend={(row) => api.post(`webhooks/rules-engine/dead-letters/${row.id}/retry`)}
      />
    </div>
  )
}

function RuleView({
  value,
  path,
  words,
  onChange,
  onTested,
}: {
  value: Rule
  path: string
  words: Words
  onChange: (value: Rule) => void
  onTested: () => void
}): VNode {
  const { api, sites, toasts, explain, words: common } = useApp()
  const isEditing = useSignal(false)
  const isActive = useSignal(value.active)
  const { tenant_id: tenantId, min_confidence: confidence, sector, source } = value.conditions
  const siteName = sites.value?.find((site) => site.tenant_id === tenantId)?.name ?? tenantId
  const conditions = [
    [common.value.site, siteName],
    [words.minConfidence, confidence?.toString()],
    [words.sector, sector],
    [words.source, source],
  ].filter(([, given]) => given !== undefined)

  async function switchTo(active: boolean): Promise<void> {
    try {
      onChange(await api.patch<Rule>(path, { active }))
    } catch (error) {
      isActive.value = value.active
      toasts.failed(explain(error))
    }
  }

  return (
    <>
      <PageHead title={value.name} lead={<span class="address">{value.url}</span>}>
        {value.active ? (
          <Badge tone="good">{words.works}</Badge>
        ) : (
          <Badge>{words.switchedOff}</Badge>
        )}
        <Button icon="edit" onPress={() => (isEditing.value = true)}>
          {words.edit}
        </Button>
        <EndpointActions
          path={path}
          url={value.url}
          words={words}
          list="/webhooks/rules"
          onTested={onTested}
        />
      </PageHead>
      <Card title={words.events}>
        <div class="stack">
          <ul class="events">
            {eventsOf(value).map((event) => (
              <li key={event}>
                {words.ruleEvents[event]}
                <code>{event}</code>
              </li>
            ))}
          </ul>
          {conditions.length > 0 && (
            <dl class="definitions">
              {conditions.map(([label, given]) => (
                <Fragment key={label}>
                  <dt>{label}</dt>
                  <dd>{given}</dd>
                </Fragment>
              ))}
            </dl>
          )}
          <CheckField
            look="switch"
            label={words.switchLabel}
            hint={words.switchHint}
            value={isActive}
            onPick={(active) => void switchTo(active)}
          />
        </div>
      </Card>
      {isEditing.value && (
        <RuleForm
          rule={value}
          words={words}
          onChanged={onChange}
          onClose={() => (isEditing.value = false)}
        />
      )}
    </>
  )
}
