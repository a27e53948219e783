import type { VNode } from 'preact'
import type { InstallationHealth } from '../../../server/operator/schema.ts'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/operator.ts'
import { Badge, Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Doctor } from './doctor.tsx'
import { Report } from './report.tsx'

/** Versions, queues, and what is wrong with the installation. */
export function Health({ health, words }: { health: InstallationHealth; words: Words }): VNode {
  const { format } = useApp()
  const { number, duration } = format.value
  return (
    <div class="stack">
      <Card title={words.version}>
        <dl class="definitions">
          <dt>Sohbet</dt>
          <dd>{health.version}</dd>
          <dt>Node</dt>
          <dd>{health.node}</dd>
          <dt>{words.database}</dt>
          <dd>{health.database}</dd>
          <dt>{words.uptime}</dt>
          <dd>{duration(health.uptime_seconds * 1_000)}</dd>
        </dl>
      </Card>
      <Card flush title={words.checks}>
        <Table
          label={words.checks}
          rows={health.checks}
          rowKey={(row) => row.name}
          columns={[
            { label: words.check, cell: (row) => words.checkNames[row.name] },
            {
              label: words.state,
              cell: (row) => (
                <Badge tone={row.ok ? 'good' : 'warn'}>{row.ok ? words.fine : words.look}</Badge>
              ),
            },
            {
              label: words.detail,
              cell: (row) => (
                <Report advice={row.ok ? undefined : words.advice(row.name)} report={row.detail} />
              ),
            },
          ]}
        />
      </Card>
      <Doctor words={words} />
      <Card flush title={words.queues}>
        <Table
          label={words.queues}
          rows={health.queues}
          rowKey={(row) => row.name}
          columns={[
            { label: words.queue, cell: (row) => nameOf(row.name, words.queueNames) },
            { label: words.waiting, end: true, cell: (row) => number(row.waiting) },
            {
              label: words.oldest,
              end: true,
              cell: (row) =>
                row.oldest_seconds === null ? '–' : duration(row.oldest_seconds * 1_000),
            },
          ]}
        />
      </Card>
    </div>
  )
}

/** The words for a queue; one of another version may have none. */
function nameOf(queue: string, names: Readonly<Record<string, string>>): string {
  return names[queue] ?? queue
}
