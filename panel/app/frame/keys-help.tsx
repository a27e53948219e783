import { signal } from '@preact/signals'
import type { VNode } from 'preact'
import { Dialog } from '../../ui/dialog.tsx'
import { CheckField } from '../../ui/field.tsx'
import { useApp } from '../app-context.ts'

const STORED = 'sohbet.keys'

/** Whether single keys act; people who dictate can turn them off (WCAG 2.1.4). */
export const hasKeys = signal(localStorage.getItem(STORED) !== 'off')

/** The keys that open the search, as the keyboard of this computer has them. */
export const PALETTE_KEYS = /Mac OS X/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

/** A key, or two that do the same, with what it does. */
type Shortcut = readonly [title: string, ...keys: string[]]

/** Shows the keys of a page and those that work on every page, with the switch for single keys. */
export function KeysHelp({
  keys,
  onClose,
}: {
  keys?: readonly Shortcut[]
  onClose: () => void
}): VNode {
  const { words } = useApp()
  const { title, palette, help, enabled, enabledHint } = words.value.keys
  const all: readonly Shortcut[] = [...(keys ?? []), [palette, PALETTE_KEYS], [help, '?']]
  return (
    <Dialog title={title} onClose={onClose}>
      <dl class="keys">
        {all.map(([name, ...pressed]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {pressed.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <CheckField
        label={enabled}
        hint={enabledHint}
        look="switch"
        value={hasKeys}
        onPick={(isOn) => localStorage.setItem(STORED, isOn ? 'on' : 'off')}
      />
    </Dialog>
  )
}

/** Whether a key belongs to what has the focus: a field, a menu, a dialog. */
export function isTakenBy(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  return target.closest('input, textarea, select, dialog, [popover], [contenteditable]') !== null
}
