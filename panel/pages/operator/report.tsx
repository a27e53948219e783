import type { VNode } from 'preact'

/**
 * Findings of the server, in English, under advice in the reader's language. Screen readers read each
 * in its language.
 */
export function Report({
  advice,
  report,
  remedy = null,
}: {
  advice: string | undefined
  report: string
  remedy?: string | null
}): VNode {
  return (
    <div class="long">
      {advice !== undefined && <p>{advice}</p>}
      <p class="soft" lang="en">
        {report} {remedy !== null && (advice === undefined ? <strong>{remedy}</strong> : remedy)}
      </p>
    </div>
  )
}
