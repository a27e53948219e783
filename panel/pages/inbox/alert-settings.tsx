import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import {
  chooseDesktop,
  chooseSound,
  hasDesktop,
  hasSound,
} from '../../app/alerts/visitor-alerts.ts'
import { Menu } from '../../ui/menu.tsx'

/** Switches the sound and the desktop notifications of this browser. */
export function AlertSettings(): VNode {
  const { words, toasts } = useApp()
  const { alerts } = words.value
  return (
    <Menu
      label={alerts.title}
      icon="bell"
      items={[
        {
          label: `${alerts.sound}: ${hasSound.value ? alerts.on : alerts.off}`,
          icon: hasSound.value ? 'check' : 'bell',
          onPick: () => chooseSound(!hasSound.value),
        },
        {
          label: `${alerts.desktop}: ${hasDesktop.value ? alerts.on : alerts.off}`,
          icon: hasDesktop.value ? 'check' : 'desktop',
          onPick: async () => {
            const isWanted = !hasDesktop.value
            const isShown = await chooseDesktop(isWanted)
            if (isWanted && !isShown) toasts.failed(alerts.blocked)
          },
        },
      ]}
    />
  )
}
