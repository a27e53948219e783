import type { VNode } from 'preact'

const PATHS = {
  home: 'M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1Z',
  inbox: 'M4 13 6 5h12l2 8v6H4Zm0 0h5l1 2h4l1-2h5',
  lead: 'M15 19v-1a4 4 0 0 0-4-4H7a4 4 0 0 0-4 4v1M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm9-2v6m3-3h-6',
  calendar: 'M5 6h14v14H5Zm0 5h14M9 3v4m6-4v4',
  book: 'M12 6a6 6 0 0 0-8-1v13a6 6 0 0 1 8 1 6 6 0 0 1 8-1V5a6 6 0 0 0-8 1Zm0 0v13',
  widget: 'M6 5h12a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-5l-5 4v-4H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2Z',
  bolt: 'M13 3 5 14h6l-1 7 9-12h-6Z',
  prompt: 'm12 3 2 6 6 2-6 2-2 6-2-6-6-2 6-2Z',
  webhook: 'M9 8a3 3 0 1 1 5 2l3 5m0 0a3 3 0 1 1-1 5H9M8 12l-2 4a3 3 0 1 0 3 3',
  code: 'm8 7-5 5 5 5m8-10 5 5-5 5m-3-13-2 16',
  chart: 'M5 20V10m7 10V4m7 16v-7',
  coin: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16Zm0-12v8m-2-6h3a1.5 1.5 0 0 1 0 3h-3',
  team: 'M16 19v-1a4 4 0 0 0-4-4H7a4 4 0 0 0-4 4v1m6.500-8a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM21 19v-1a4 4 0 0 0-3-3.800M15.500 5.200a3 3 0 0 1 0 5.600',
  settings:
    'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm7-3 2-1-1.500-4-2.200.400-1.400-1.400L16 3.500h-4l-.6 2.200-1.800.8L7.500 5.300 4.700 8.100l1.200 2-.8 1.900-2.100.7v3.600l2.200.6.8 1.800-1.100 2 2.600 2.500 2-1.200 1.900.8.500 2.200h3.800l.6-2.200 1.700-.8 2 1.100 2.600-2.600-1.200-2Z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'm6 6 12 12M18 6 6 18',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 4 4',
  plus: 'M12 5v14M5 12h14',
  check: 'm5 12 5 5 9-10',
  down: 'm6 9 6 6 6-6',
  right: 'm9 6 6 6-6 6',
  left: 'm15 6-6 6 6 6',
  more: 'M4.500 12h1M11.500 12h1M18.500 12h1',
  copy: 'M9 9h11v11H9ZM5 15H4V4h11v1',
  trash: 'M5 7h14M10 7V4h4v3m-8 0 1 13h10l1-13m-7 4v5m3-5v5',
  edit: 'm4 20 1-5L16 4l4 4L9 19Z',
  link: 'm9 15 6-6m-4-3 2-2a4 4 0 0 1 6 6l-2 2m-4 4-2 2a4 4 0 0 1-6-6l2-2',
  warning: 'M12 4 2.500 20h19ZM12 10v4m0 3h.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-10v5m0-8h.01',
  send: 'M12 19V5m-6 6 6-6 6 6',
  file: 'M6 3h8l4 4v14H6Zm8 0v4h4',
  globe:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c3 3 3.500 6 3.500 9S15 18 12 21c-3-3-3.500-6-3.500-9S9 6 12 3Z',
  refresh: 'M20 6v5h-5M4 18v-5h5m10-3a7 7 0 0 0-12-3M5 14a7 7 0 0 0 12 3',
  thumbUp: 'M7 11v9H4v-9Zm0 0 4-7a2 2 0 0 1 2 2v4h5a2 2 0 0 1 2 2l-1 6a2 2 0 0 1-2 2H7',
  thumbDown: 'M17 13V4h3v9Zm0 0-4 7a2 2 0 0 1-2-2v-4H6a2 2 0 0 1-2-2l1-6a2 2 0 0 1 2-2h10',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-14v5l3 2',
  tag: 'M4 4h7l9 9-7 7-9-9Zm4 4h.01',
  note: 'M5 4h14v10l-5 6H5Zm14 10h-5v6',
  attach: 'm8 12 6-6a3 3 0 0 1 4 4l-8 8a5 5 0 0 1-7-7l7-7',
  bell: 'M6 16V11a6 6 0 1 1 12 0v5l2 2H4Zm4 5h4',
  shield: 'M12 3 5 6v6c0 4 3 7 7 9 4-2 7-5 7-9V6Z',
  key: 'M8 20a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9Zm3.200-7.700L20 4m-4 3.800 3 3m-5.500-.6 2 2',
  play: 'm8 5 11 7-11 7Z',
  download: 'M12 4v11m-5-4 5 5 5-5M5 20h14',
  upload: 'M12 16V5m-5 4 5-5 5 5M5 20h14',
  phone: 'M7 3h10v18H7Zm4 15h2',
  desktop: 'M4 5h16v11H4Zm5 15h6m-3-4v4',
} as const
export type IconName = keyof typeof PATHS

/** A decorative icon: the text beside it, or the label of its control, says what it means. */
export function Icon({ name }: { name: IconName }): VNode {
  return (
    <svg viewBox="0 0 24 24" class="icon" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}

/** The product's sign. */
export function Brand(): VNode {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="#25e" />
      <path
        d="M9 10h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7l-5 4v-4H9a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2Z"
        fill="#fff"
      />
    </svg>
  )
}
