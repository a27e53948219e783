/** In this order: most browsers also name the ones that they descend from. */
const BROWSERS: readonly [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPiOS|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Yandex', /\bYaBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
]
/** Phones first: their names contain those of computers. */
const SYSTEMS: readonly [name: string, sign: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
]
const UNKNOWN = 'Unknown device'
const MAX_PROGRAM_LENGTH = 40

/**
 * Returns a device as its owner would name it, such as `Chrome on Linux`, or the name of a program,
 * such as `curl`. A `User-Agent` header is a claim and proves nothing.
 */
export function describeDevice(userAgent: string | undefined): string {
  if (!userAgent) return UNKNOWN
  const browser = nameIn(BROWSERS, userAgent)
  const system = nameIn(SYSTEMS, userAgent)
  if (browser && system) return `${browser} on ${system}`
  const program = /^([A-Za-z][\w.-]*)(?:\/|\s|$)/.exec(userAgent)?.[1]
  return browser ?? system ?? program?.slice(0, MAX_PROGRAM_LENGTH) ?? UNKNOWN
}

function nameIn(names: typeof BROWSERS, userAgent: string): string | undefined {
  return names.find(([, sign]) => sign.test(userAgent))?.[0]
}
