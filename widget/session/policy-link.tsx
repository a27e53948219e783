import type { VNode } from 'preact'
import type { WidgetConfig } from '../../server/tenants/schema.ts'
import type { ContactStrings } from '../locales/strings.lazy.ts'
import { safeUrl } from '../ui/markdown.tsx'

/** The site's privacy policy, beside what it asks for. */
export function policyLink(
  config: WidgetConfig | undefined,
  strings: ContactStrings,
): VNode | undefined {
  const url = safeUrl(config?.privacy.policy_url ?? null)
  return url === undefined ? undefined : (
    <a class="policy" href={url} target="_blank" rel="noopener">
      {strings.policy}
    </a>
  )
}
