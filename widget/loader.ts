import type { WidgetConfig } from '../server/chat/schema.ts'
import type { Call, Language, Run } from './embed.ts'
import styles from './launcher.css?inline'
import { launcherWords } from './locales/launcher.ts'

/** Addresses of what is loaded later, relative to this script; put in by the build. */
declare const MAIN: string
declare const WORDS: Record<Language, string>

const VERBS = 'open close toggle show hide send identify on off destroy'.split(' ')
/** Puts the launcher of the widget that `script` asks for into the page. */
function embed(script: HTMLScriptElement): void {
  const read = (name: string, pattern: RegExp, usual: string): string => {
    const value = script.getAttribute(`data-${name}`) ?? usual
    if (pattern.test(value)) return value
    console.warn(`Sohbet: wrong data-${name}`)
    return usual
  }
  const queued = window.Sohbet ?? []
  // A second tag on the page, or the same one again: the widget is there already.
  if (!Array.isArray(queued)) return
  const { tenant = '' } = script.dataset
  if (!tenant) return console.error('Sohbet: no data-tenant')
  const theme = read('theme', /^(light|dark|auto)$/, 'auto').replace('auto', 'light dark')
  const side = read('position', /^(right|left)$/, 'right')
  const asked = read('locale', /^(tr|en|$)/i, '')
  const base = read('branding-url', /^https?:/, new URL(script.src).origin).replace(/\/$/, '')

  const beside = script.src.replace(/[^/]*$/, '')
  const host = document.createElement('sohbet-widget')
  const root = host.attachShadow({ mode: 'open' })
  const launcher = document.createElement('button')
  const sheet = new CSSStyleSheet()
  const calls: Call[] = []
  let language: Language
  let config: Promise<WidgetConfig | undefined> | undefined
  let panel: Promise<Run> | undefined

  /** In the first language we have of: the tag's, the tenant's, the page's. */
  const describe = (locale = ''): void => {
    const tags = `${asked} ${locale} ${document.documentElement.lang}`
    language = /\b(tr|en)\b/i.exec(tags)?.[0].toLowerCase() === 'tr' ? 'tr' : 'en'
    host.ariaLabel = launcher.ariaLabel = launcherWords[language].open
  }

  const gone = (): void => {
    host.remove()
    delete window.Sohbet
  }

  const getConfig = (): Promise<WidgetConfig | undefined> =>
    (config ??= fetch(`${base}/api/v1/widget/${tenant}/config`)
      .then((response) => response.json())
      .then((answer: WidgetConfig & { status: number }) => {
        if (!answer.active && !(answer.status >= 500)) gone()
        host.style.setProperty('--_color', answer.theme.color ?? '')
        describe(answer.locale)
        return answer
      })
      .catch(() => (config = undefined)))

  const load = (): Promise<Run> =>
    (panel ??= Promise.all([
      import(beside + MAIN),
      getConfig().then(() => import(beside + WORDS[language])),
      getConfig(),
    ]).then(
      ([main, words, answer]: [
        typeof import('./main.tsx'),
        typeof import('./locales/en.ts'),
        WidgetConfig | undefined,
      ]) => main.start({ tenant, base, side, config: answer, host }, words.words),
    ))

  const run = (): void => {
    launcher.ariaBusy = 'true'
    load()
      .then(
        (carryOut) => calls.splice(0).forEach(carryOut),
        () => {
          panel = undefined
          launcher.ariaLabel += ' ⚠'
        },
      )
      .finally(() => (launcher.ariaBusy = null))
  }

  const push = (...given: Call[]): void => {
    for (const call of given) {
      const [name, event, listener] = call
      if (name === 'show' || name === 'hide') host.hidden = name === 'hide'
      else if (event === 'ready' && typeof listener === 'function') listener()
      else calls.push(call)
      if (panel || /open|toggle|send/.test(name)) run()
      if (name === 'destroy') gone()
    }
  }

  const api: Record<string, unknown> = { push }
  for (const name of VERBS) api[name] = (...rest: unknown[]) => push([name, ...rest])
  window.Sohbet = api

  sheet.replaceSync(`${styles}:host{color-scheme:${theme}!important}[part=launcher]{${side}:20px}`)
  describe()
  host.role = 'region'
  launcher.part = 'launcher'
  launcher.ariaHasPopup = 'dialog'
  launcher.ariaExpanded = 'false'
  launcher.onclick = () => push(['open'])
  launcher.onfocus = launcher.onpointerenter = () => load().catch(() => (panel = undefined))
  root.adoptedStyleSheets = [sheet]
  root.append(launcher)

  const mount = (): void => document.documentElement.append(host)
  const settle = (): void => {
    // A script in the head can run before there is a body, which must come first in the Tab order.
    if (host.nextSibling) mount()
    if (!navigator.connection?.saveData)
      (window.requestIdleCallback ?? setTimeout)(() => void getConfig())
  }
  mount()
  if (document.readyState === 'complete') settle()
  else addEventListener('load', settle)
  push(...queued)
}

const script = document.currentScript
if (script instanceof HTMLScriptElement) embed(script)
