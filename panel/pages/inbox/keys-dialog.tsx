import { signal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Words } from '../../locales/en/inbox.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { CheckField } from '../../ui/field.tsx'

const STORED = 'sohbet.keys'

/** Whether single keys act; people who dictate can turn them off (WCAG 2.1.4). */
export const hasKeys = signal(localStorage.getItem(STORED) !== 'off')

const KEYS = [
  ['next', 'j', '↓'],
  ['previous', 'k', '↑'],
  ['search', '/'],
  ['reply', 'r'],
  ['note', 'n'],
  ['claim', 'c'],
  ['assign', 'a'],
  ['snooze', 's'],
  ['close', 'e'],
  ['back', 'u'],
  ['palette', 'Ctrl K'],
  ['help', '?'],
] as const satisfies readonly (readonly [keyof Words['keys'], ...string[]])[]

export function KeysDialog({ words, onClose }: { words: Words; onClose: () => void }): VNode {
  return (
    <Dialog title={words.keys.title} onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([name, ...keys]) => (
          <div key={name}>
            <dt>{words.keys[name]}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <CheckField
        label={words.keys.enabled}
        hint={words.keys.enabledHint}
        look="switch"
        value={hasKeys}
        onPick={(isOn) => localStorage.setItem(STORED, isOn ? 'on' : 'off')}
      />
    </Dialog>
  )
}
