import { useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { Icon, type IconName } from './icon.tsx'

interface Props {
  children?: ComponentChildren
  icon?: IconName
  /** Required where there is no text: it names the control. */
  label?: string
  kind?: 'primary' | 'plain' | undefined
  danger?: boolean
  small?: boolean
  disabled?: boolean
  type?: 'button' | 'submit'
  href?: string
  /** The name of the file that `href` is saved as. */
  download?: string
  pressed?: boolean
  /** While it runs, further presses are ignored. */
  onPress?: ((event: MouseEvent) => unknown) | undefined
}

/** A button, or a link that looks like one. Disabled, it keeps the focus and does nothing. */
export function Button(props: Props): VNode {
  const { children, icon, label, kind, danger, small, disabled, type = 'button', href } = props
  const isBusy = useSignal(false)
  const classes = [
    'button',
    kind,
    danger && 'danger',
    small && 'small',
    children === undefined && 'icon',
  ]
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {children}
    </>
  )
  const name = classes.filter(Boolean).join(' ')
  if (href !== undefined) {
    return (
      <a class={name} href={href} download={props.download} aria-label={label} title={label}>
        {content}
      </a>
    )
  }
  async function press(event: MouseEvent): Promise<void> {
    if (disabled || isBusy.value) {
      event.preventDefault()
      return
    }
    isBusy.value = true
    try {
      await props.onPress?.(event)
    } finally {
      isBusy.value = false
    }
  }
  return (
    <button
      type={type}
      class={name}
      aria-label={label}
      title={label}
      aria-pressed={props.pressed}
      aria-disabled={disabled || isBusy.value ? 'true' : undefined}
      aria-busy={isBusy.value}
      onClick={(event) => void press(event)}
    >
      {content}
    </button>
  )
}
