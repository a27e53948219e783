import { effect, type ReadonlySignal, signal } from '../runtime/signals.ts'

/** Where the panel fills the screen; as in `composer.css`. */
const SMALL = '(max-width: 480px), (max-height: 480px)'

/** Whether the panel has to fill the screen. */
export function watchScreen(ending: AbortSignal): ReadonlySignal<boolean> {
  const small = matchMedia(SMALL)
  const isFull = signal(small.matches)
  small.addEventListener('change', () => (isFull.value = small.matches), { signal: ending })
  return isFull
}

/**
 * While the panel fills the screen the page behind can be neither reached nor scrolled, and the panel
 * keeps above the phone's keyboard. Returns the function that ends this.
 */
export function coverPage(panel: HTMLElement, isCovered: () => boolean): () => void {
  const lock = new CSSStyleSheet()
  lock.replaceSync('html{overflow:hidden!important}')
  const view = visualViewport
  const fit = (): void => {
    // A visitor who zooms in moves around in the panel; the keyboard leaves the scale alone.
    if (!view || view.scale > 1.01) return
    panel.style.setProperty('--_height', `${view.height}px`)
    panel.style.setProperty('--_top', `${view.offsetTop}px`)
  }
  return effect(() => {
    if (!isCovered()) return
    const { body } = document
    const wasInert = body.inert
    body.inert = true
    document.adoptedStyleSheets.push(lock)
    fit()
    const leaving = new AbortController()
    for (const type of ['resize', 'scroll'])
      view?.addEventListener(type, fit, { signal: leaving.signal })
    return () => {
      leaving.abort()
      body.inert = wasInert
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== lock)
    }
  })
}
