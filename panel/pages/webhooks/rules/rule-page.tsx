import { useSignal } from '@preact/signals'
import { Fragment, type VNode } from 'preact'
import type { Rule, RuleDelivery } from '../../../../server/rules/schema.ts'
import type { Page } from '../../../app/api/api.ts'
import { useApp } from '../../../app/app-context.ts'
import { useResource } from '../../../app/api/resource.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { BackLink, Loaded, PageHead } from '../../../ui/page.tsx'
import { Deliveries } from '../deliveries/deliveries.tsx'
import { ActiveBadge, EndpointView } from '../endpoint-view.tsx'
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
      {isManager ? (
        <BackLink path="/webhooks/rules">{words.tabs.rules}</BackLink>
      ) : (
        <BackLink path="/webhooks">{words.tabs['dead-letters']}</BackLink>
      )}
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
  const { sites, words: common } = useApp()
  const { tenant_id: tenantId, min_confidence: confidence, sector, source } = value.conditions
  const siteName = sites.value?.find((site) => site.tenant_id === tenantId)?.name ?? tenantId
  const conditions = [
    [common.value.site, siteName],
    [words.minConfidence, confidence?.toString()],
    [words.sector, sector],
    [words.source, source],
  ].filter(([, given]) => given !== undefined)
  return (
    <EndpointView
      value={value}
      path={path}
      list="/webhooks/rules"
      title={value.name}
      lead={<span class="address">{value.url}</span>}
      badge={<ActiveBadge isActive={value.active} words={words} />}
      events={eventsOf(value).map((event) => [event, words.ruleEvents[event]])}
      details={
        conditions.length > 0 && (
          <dl class="definitions">
            {conditions.map(([label, given]) => (
              <Fragment key={label}>
                <dt>{label}</dt>
                <dd>{given}</dd>
              </Fragment>
            ))}
          </dl>
        )
      }
      form={(onClose) => (
        <RuleForm rule={value} words={words} onChanged={onChange} onClose={onClose} />
      )}
      words={words}
      onChange={onChange}
      onTested={onTested}
    />
  )
}
