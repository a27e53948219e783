import type { WidgetConfig } from '../../server/tenants/schema.ts'
import type { Place } from '../host/embed.ts'
import { DISMISS_INVITATION } from '../locales/registry.ts'
import styles from './invitation.css?inline'

type Invitation = NonNullable<NonNullable<WidgetConfig['theme']['page']>['invitation']>

/** An invitation beside the launcher, for visitors who have neither opened the chat nor dismissed it. */
export function showInvitation(place: Place, rule: Invitation, ending: AbortSignal): void {
  const { host, push, tenant, side } = place
  const root = host.shadowRoot
  const launcher = root?.querySelector('button')
  if (!root || !launcher) return
  const bubble = document.createElement('div')
  const open = document.createElement('button')
  const close = document.createElement('button')
  const waiting = new AbortController()
  const signal = AbortSignal.any([ending, waiting.signal])
  const key = `sohbet:${tenant}:dismissed`
  const names: Record<string, string> = DISMISS_INVITATION

  const wasDismissed = (): boolean => {
    try {
      return sessionStorage.getItem(key) !== null
    } catch {
      return false
    }
  }

  function end(): void {
    if (bubble.contains(root?.activeElement ?? null)) launcher?.focus()
    bubble.remove()
    waiting.abort()
  }

  function dismiss(): void {
    end()
    try {
      sessionStorage.setItem(key, '1')
    } catch {
      // Storage is blocked: the invitation comes again on the next page.
    }
  }

  /** Whether the invitation would cover the page's focused element. */
  function isInTheWay(): boolean {
    const focused = document.activeElement
    if (!focused || focused === document.body || focused === host) return false
    const one = focused.getBoundingClientRect()
    const other = bubble.getBoundingClientRect()
    return (
      one.left < other.right &&
      one.right > other.left &&
      one.top < other.bottom &&
      one.bottom > other.top
    )
  }

  function show(): void {
    if (
      bubble.isConnected ||
      launcher?.style.display === 'none' ||
      launcher?.ariaExpanded === 'true' ||
      !root
    )
      return
    root.append(bubble)
    if (isInTheWay()) bubble.remove()
  }

  if (wasDismissed()) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  root.adoptedStyleSheets.push(sheet)
  bubble.className = `invitation ${side}`
  bubble.role = 'status'
  open.textContent = rule.text
  // By its text, with the button that puts it away at the end of the line.
  bubble.dir = 'auto'
  open.onclick = () => {
    end()
    push(['open'])
  }
  close.textContent = '×'
  close.ariaLabel = names[host.lang] ?? ''
  close.onclick = dismiss
  bubble.append(open, close)
  addEventListener(
    'keydown',
    ({ key: pressed }) => {
      if (pressed === 'Escape' && bubble.isConnected) dismiss()
    },
    { signal },
  )
  addEventListener('focusin', () => isInTheWay() && end(), { signal })
  launcher.addEventListener('click', end, { signal })

  if (rule.after_seconds !== undefined) {
    const timer = setTimeout(show, rule.after_seconds * 1_000)
    signal.addEventListener('abort', () => clearTimeout(timer))
  }
  if (rule.on_exit === true)
    document.addEventListener('mouseleave', ({ clientY }) => clientY <= 0 && show(), { signal })
}
