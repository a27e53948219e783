const LOOK_EVERY_MS = 500
/** Between the launcher and what it moved away from, in pixels. */
const GAP = 12
/** Higher than this part of the window the launcher does not climb. */
const HIGHEST = 0.7
const SIDE = 20

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right &&
  one.right > other.left &&
  one.top < other.bottom &&
  one.bottom > other.top

/**
 * Keeps the launcher above cookie banners, sticky bars and other widgets in its corner, and off what
 * has the focus.
 */
export function stayClear(host: HTMLElement): void {
  const launcher = host.shadowRoot?.querySelector('button')
  if (!launcher) return
  let height = SIDE

  /** What is fixed to the window and lies in `box`. */
  const obstaclesIn = (box: Box): Box[] => {
    const found: Box[] = []
    for (const x of [box.left + 2, (box.left + box.right) / 2, box.right - 2])
      for (const y of [box.top + 2, (box.top + box.bottom) / 2, box.bottom - 2])
        for (const each of document.elementsFromPoint(x, y))
          if (each !== host && /fixed|sticky/.test(getComputedStyle(each).position)) {
            // The host of another launcher is nowhere; its button is.
            const other = (
              each.shadowRoot?.querySelector('[part=launcher]') ?? each
            ).getBoundingClientRect()
            // What covers the page is a dialog: nothing to move away from.
            const isDialog = other.height > innerHeight * HIGHEST
            if (!isDialog) found.push(other)
          }
    const { activeElement: focused } = document
    if (focused && focused !== document.body && focused !== host) {
      const other = focused.getBoundingClientRect()
      const isField = other.height < innerHeight * HIGHEST
      if (isField && overlap(box, other)) found.push(other)
    }
    return found
  }

  const settle = (): void => {
    if (launcher.ariaExpanded === 'true') return
    const { left, right, height: size } = launcher.getBoundingClientRect()
    let bottom = SIDE
    for (let tries = 0; tries < 5; tries++) {
      const edge = innerHeight - bottom
      const obstacles = obstaclesIn({ left, right, top: edge - size, bottom: edge })
      if (obstacles.length === 0) break
      bottom = Math.max(...obstacles.map(({ top }) => innerHeight - top)) + GAP
    }
    if (bottom + size > innerHeight * HIGHEST) bottom = SIDE
    if (bottom === height) return
    height = bottom
    host.style.setProperty('--_bottom', `${bottom}px`)
  }

  const timer = setInterval(() => {
    if (host.isConnected) settle()
    else stop()
  }, LOOK_EVERY_MS)
  const ending = new AbortController()
  const stop = (): void => {
    clearInterval(timer)
    ending.abort()
  }
  const { signal } = ending
  addEventListener('focusin', settle, { signal })
  addEventListener('resize', settle, { signal })
  settle()
}
