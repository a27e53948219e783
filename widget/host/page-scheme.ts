type Scheme = 'light' | 'dark'

const ATTRIBUTES = ['data-theme', 'data-bs-theme', 'class']

/** A word such as `dark`, `theme-dark` or `dark-mode`, not `dark:hidden` or `text-dark`. */
const WORD = /(?<=^|\s|theme-)(light|dark)(?=$|\s|-mode|-theme)/g

/** The one scheme that a text names; undefined where it names none, or both. */
function schemeIn(text: string | null): Scheme | undefined {
  const [first, ...more] = new Set(text?.match(WORD))
  return more.length === 0 && (first === 'light' || first === 'dark') ? first : undefined
}

/** Whether a background is light, by its lightness in LCH; undefined where one looks through it. */
function schemeOf(element: Element, probe: HTMLElement): Scheme | undefined {
  probe.style.color = `lch(from ${getComputedStyle(element).backgroundColor} l 0 0)`
  const [lightness = 0, , , alpha = 1] = getComputedStyle(probe).color.match(/[\d.]+/g) ?? []
  probe.style.color = ''
  return Number(alpha) < 0.5 ? undefined : Number(lightness) > 50 ? 'light' : 'dark'
}

/** The page's `html` and, once it is parsed, its `body`. */
const findRoots = (): Element[] => [...document.querySelectorAll('html, body')]

/** The page's scheme: as it says itself, else as it looks; undefined where the system decides it. */
function pageScheme(probe: HTMLElement): Scheme | undefined {
  const roots = findRoots()
  const own =
    document.querySelector<HTMLMetaElement>('meta[name=color-scheme]')?.content ??
    getComputedStyle(document.documentElement).colorScheme
  const said = [own, ...roots.flatMap((each) => ATTRIBUTES.map((name) => each.getAttribute(name)))]
  for (const text of said) {
    const scheme = schemeIn(text)
    if (scheme) return scheme
  }
  // Both: the page follows the system, and so do we.
  if (/dark/.test(own)) return undefined
  // An element that covers the page may carry the background instead; outermost first.
  const shown = document.elementsFromPoint(innerWidth / 2, innerHeight / 2).toReversed()
  for (const element of [...roots.toReversed(), ...shown]) {
    const scheme = schemeOf(element, probe)
    if (scheme) return scheme
  }
  return 'light'
}

/**
 * Has the widget follow the page's scheme where its tag leaves that open. Returns the function that
 * looks again, for changes without an event.
 */
export function followPageScheme(root: ShadowRoot, probe: HTMLElement, ending: AbortSignal) {
  if (getComputedStyle(root.host).colorScheme !== 'light dark') return () => {}
  const sheet = new CSSStyleSheet()
  let shown: Scheme | undefined
  const look = (): void => {
    const scheme = pageScheme(probe)
    // A sheet that is replaced styles the whole panel once more, which opening would wait for.
    if (scheme !== shown)
      sheet.replaceSync(`:host{color-scheme:${scheme ?? 'light dark'}!important}`)
    shown = scheme
  }
  const observer = new MutationObserver(look)
  for (const each of findRoots())
    observer.observe(each, { attributeFilter: [...ATTRIBUTES, 'style'] })
  ending.addEventListener('abort', () => observer.disconnect())
  root.adoptedStyleSheets.push(sheet)
  look()
  return look
}
