import type { ComponentChildren, VNode } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'

export interface MenuItem {
  label: string
  icon?: IconName
  danger?: boolean
  href?: string
  onPick?: () => unknown
}

/** A button that opens a list of actions. Arrow keys move, Escape closes. */
export function Menu({
  label,
  items,
  class: name = 'button plain icon small',
  icon = 'more',
  children,
}: {
  label: string
  items: readonly MenuItem[]
  class?: string
  /** Without children. */
  icon?: IconName
  children?: ComponentChildren
}): VNode {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  function place(): void {
    const { current: menu } = list
    const box = button.current?.getBoundingClientRect()
    if (!menu || !box) return
    const left = Math.min(box.left, innerWidth - menu.offsetWidth - 8)
    const isBelow = box.bottom + menu.offsetHeight < innerHeight
    menu.style.left = `${Math.max(8, left)}px`
    menu.style.top = `${isBelow ? box.bottom : Math.max(8, box.top - menu.offsetHeight - 8)}px`
    menu.querySelector<HTMLElement>('a,button')?.focus()
  }

  function move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || !list.current) return
    event.preventDefault()
    const all = [...list.current.querySelectorAll<HTMLElement>('a,button')]
    const at = all.findIndex((item) => item === document.activeElement)
    all[(at + step + all.length) % all.length]?.focus()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        class={name}
        popovertarget={id}
        aria-label={children ? undefined : label}
        title={children ? undefined : label}
      >
        {children ?? <Icon name={icon} />}
      </button>
      {/* Arrow keys are a shortcut: each item can be reached by Tab. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={list}
        id={id}
        popover="auto"
        class="menu-items"
        role="group"
        aria-label={label}
        onToggle={(event) => event.newState === 'open' && place()}
        onKeyDown={move}
      >
        {items.map((item) =>
          item.href === undefined ? (
            <button
              key={item.label}
              type="button"
              class={item.danger ? 'danger' : undefined}
              onClick={() => {
                list.current?.hidePopover()
                item.onPick?.()
              }}
            >
              {item.icon && <Icon name={item.icon} />}
              {item.label}
            </button>
          ) : (
            <a key={item.label} href={item.href} onClick={() => list.current?.hidePopover()}>
              {item.icon && <Icon name={item.icon} />}
              {item.label}
            </a>
          ),
        )}
      </div>
    </>
  )
}
