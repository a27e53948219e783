import type { VNode } from 'preact'
import type { PageProps } from '../../app/pages.ts'
import type { Words } from '../../locales/en/leads.ts'
import { LeadDetail } from './lead-detail.tsx'
import { LeadTable } from './lead-table.tsx'
import './leads.css'

/** The table of leads, or one of them. */
export function Page({ words, params }: PageProps<Words>): VNode {
  return params.id === undefined ? (
    <LeadTable words={words} />
  ) : (
    <LeadDetail key={params.id} id={params.id} words={words} />
  )
}
