import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Diagnosis, Finding } from '../../../server/doctor/schema.ts'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/operator.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card, type Tone } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Report } from './report.tsx'

const TONES: Record<Finding['state'], Tone> = { ok: 'good', warning: 'warn', error: 'wrong' }

/** Examines the installation when asked to: that calls the mail server and the models. */
export function Doctor({ words }: { words: Words }): VNode {
  const { api, toasts, explain } = useApp()
  const diagnosis = useSignal<Diagnosis | undefined>(undefined)

  async function examine(): Promise<void> {
    try {
      diagnosis.value = await api.get<Diagnosis>('operator/doctor')
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  const button = (
    <Button small onPress={examine}>
      {words.examine}
    </Button>
  )
  const found = diagnosis.value
  if (found === undefined) {
    return (
      <Card title={words.doctor} actions={button}>
        <p class="soft">{words.doctorText}</p>
      </Card>
    )
  }
  return (
    <Card flush title={words.doctor} actions={button}>
      <Table
        label={words.doctor}
        rows={found.findings}
        rowKey={(row) => `${row.name} ${row.detail}`}
        columns={[
          { label: words.check, cell: (row) => words.findingNames[row.name] },
          {
            label: words.state,
            cell: (row) => <Badge tone={TONES[row.state]}>{words.findingStates[row.state]}</Badge>,
          },
          {
            label: words.detail,
            cell: ({ name, state, detail, remedy }) => (
              <Report
                advice={state === 'ok' ? undefined : words.advice(name)}
                report={detail}
                remedy={remedy}
              />
            ),
          },
        ]}
      />
    </Card>
  )
}
