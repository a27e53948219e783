import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Rule } from '../../../../server/rules/schema.ts'
import { useApp } from '../../../app/app-context.ts'
import { useList } from '../../../app/api/resource.ts'
import { BASE } from '../../../app/router.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Ago, Badge, Card, Empty } from '../../../ui/page.tsx'
import { ListTable } from '../../../ui/table.tsx'
import { eventsOf, RuleForm } from './rule-form.tsx'
import { SecretDialog, type ShownSecret } from '../secret-dialog.tsx'

const PATH = 'webhooks/rules-engine/rules'

/** The rules for the chat's events. */
export function Rules({ words }: { words: Words }): VNode {
  const { api } = useApp()
  const list = useList<Rule>(PATH, (cursor, signal) => api.get(PATH, { cursor, limit: 50 }, signal))
  const isAdding = useSignal(false)
  const secret = useSignal<ShownSecret | undefined>(undefined)
  return (
    <Card
      flush
      title={words.tabs.rules}
      actions={
        <Button kind="primary" icon="plus" onPress={() => (isAdding.value = true)}>
          {words.addRule}
        </Button>
      }
    >
      <ListTable
        list={list}
        label={words.tabs.rules}
        rowKey={(row) => row.rule_id}
        empty={
          <Empty icon="webhook" title={words.noRules}>
            {words.noRulesText}
          </Empty>
        }
        columns={[
          {
            label: words.ruleName,
            cell: (row) => (
              <a class="row-link" href={`${BASE}/webhooks/rules/${row.rule_id}`}>
                {row.name}
              </a>
            ),
          },
          { label: words.address, cell: (row) => <span class="address">{row.url}</span> },
          {
            label: words.events,
            cell: (row) => (
              <span class="soft small">
                {eventsOf(row)
                  .map((event) => words.ruleEvents[event])
                  .join(', ')}
              </span>
            ),
          },
          {
            label: words.columns.state,
            cell: (row) =>
              row.active ? (
                <Badge tone="good">{words.works}</Badge>
              ) : (
                <Badge>{words.switchedOff}</Badge>
              ),
          },
          { label: words.columns.created, cell: (row) => <Ago at={row.created_at} /> },
        ]}
      />
      {isAdding.value && (
        <RuleForm
          words={words}
          onCreated={({ secret: made, standard_secret: standard }) => {
            if (made !== undefined && standard !== undefined) {
              secret.value = { secret: made, standard_secret: standard }
            }
            return list.reload()
          }}
          onClose={() => (isAdding.value = false)}
        />
      )}
      {secret.value && (
        <SecretDialog
          shown={secret.value}
          words={words}
          onClose={() => (secret.value = undefined)}
        />
      )}
    </Card>
  )
}
