import type { VNode } from 'preact'

const PATHS = {
  close: 'm6 6 12 12M18 6 6 18',
  menu: 'M12 5h.01M12 12h.01M12 19h.01',
  send: 'M12 19V5m-6 6 6-6 6 6',
  page: 'M6 3h8l4 4v14H6Zm3 9h6m-6 4h6',
}

/** A decorative icon: the label beside it names the control. */
export function Icon({ name }: { name: keyof typeof PATHS }): VNode {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
