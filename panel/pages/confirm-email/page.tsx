import type { VNode } from 'preact'
import type { PageProps } from '../../app/pages.ts'
import type { Words } from '../../locales/en/confirm-email.ts'
import { PageHead } from '../../ui/page.tsx'

export function Page({ words }: PageProps<Words>): VNode {
  return <PageHead title={words.title} />
}
