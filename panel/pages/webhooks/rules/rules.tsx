import type { VNode } from 'preact'
import type { Rule } from '../../../../server/rules/schema.ts'
import { BASE } from '../../../app/router.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { EndpointList, EventNames } from '../endpoint-list.tsx'
import { ActiveBadge } from '../endpoint-view.tsx'
import { eventsOf, RuleForm } from './rule-form.tsx'

/** The rules for the chat's events. */
export function Rules({ words }: { words: Words }): VNode {
  return (
    <EndpointList<Rule>
      path="webhooks/rules-engine/rules"
      title={words.tabs.rules}
      add={words.addRule}
      empty={{ title: words.noRules, text: words.noRulesText }}
      rowKey={(row) => row.rule_id}
      columns={() => [
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
            <EventNames names={eventsOf(row).map((event) => words.ruleEvents[event])} />
          ),
        },
        {
          label: words.columns.state,
          cell: (row) => <ActiveBadge isActive={row.active} words={words} />,
        },
      ]}
      form={(handlers) => <RuleForm words={words} {...handlers} />}
      words={words}
    />
  )
}
