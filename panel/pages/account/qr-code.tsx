import type { VNode } from 'preact'
import { encode } from 'uqr'

/** Modules of light around the code, which scanners need (ISO/IEC 18004). */
const BORDER = 4

/** A QR code, dark on light in either appearance, because not every scanner reads the inverse. */
export function QrCode({ text, label }: { text: string; label: string }): VNode {
  const { data, size } = encode(text, { border: BORDER })
  const path = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join('')} fill="#000" shape-rendering="crispEdges" />
    </svg>
  )
}
