import type { WidgetConfig } from '../server/chat/schema.ts'
import type { Call, PageApi, Run } from './embed.ts'
import styles from './launcher.css?inline'

/** The folder of what is loaded later, relative to this script; put in by the build. */
declare const FOLDER: string

/** Puts the launcher of the widget that `script` asks for into the page. */
export function embed(script: HTMLScriptElement): void {
  const read = (name: string, pattern: string, usual = ''): string => {
    const value = script.getAttribute(`data-${name}`) ?? usual
    if (RegExp(`^(${pattern})$`).test(value)) return value
    console.warn(`Sohbet: wrong data-${name}`)
    return usual
  }
  const before = window.Sohbet ?? []
  const isFirst = Array.isArray(before)
  const all = isFirst ? {} : before.of
  const { tenant } = script.dataset
  if (!tenant) return console.error('Sohbet: no data-tenant')
  // The same tag again: the widget is there already.
  if (all[tenant]) return
  const theme = read('theme', 'light|dark|auto', 'auto').replace('auto', 'light dark')
  const side = read('position', 'right|left', 'right')
  const asked = read('locale', '(tr|en|de|ar).*|')
  const base = new URL(read('branding-url', 'https?:.+', script.src)).origin

  const page = document.documentElement
  const host = document.createElement('sohbet-widget')
  const root = host.attachShadow({ mode: 'open' })
  const launcher = document.createElement('button')
  const sheet = new CSSStyleSheet()
  const calls: Call[] = []
  let config: Promise<void> | undefined
  let panel: Promise<Run> | undefined

  const bring = (name: string) =>
    import(/* @vite-ignore */ script.src.replace(/[^/]*$/, `${FOLDER}${name}.js`))

  /**
   * In the first language we have of: the tag's, the tenant's, the page's. The name is a word that most
   * of them share; the chat brings the right one when it is loaded, with the focus at the latest.
   */
  const describe = (locale?: string): void => {
    const tags = `${asked} ${locale} ${page.lang}`
    host.lang = /\b(tr|en|de|ar)\b/.exec(tags)?.[0] ?? 'en'
    host.ariaLabel = launcher.ariaLabel = host.lang === 'tr' ? 'Sohbet' : 'Chat'
  }

  const gone = (): void => {
    host.remove()
    delete all[tenant]
    if (window.Sohbet === api) delete window.Sohbet
  }

  /** Brings what only some pages need: keeping out of the way, and the tenant's rules for its pages. */
  const attend = (): void =>
    void bring('page').then((chunk: typeof import('./page.ts')) => chunk.start(api))

  const getConfig = (): Promise<void> =>
    (config ??= fetch(`${base}/api/v1/widget/${tenant}/config`)
      .then((response) => response.json())
      .then((answer: WidgetConfig & { status: number }) => {
        const isThere = answer.active || answer.status > 499
        if (!isThere) gone()
        host.style.setProperty('--_color', answer.theme.color ?? '')
        describe(answer.locale)
        api.config = answer
        if (answer.theme.page) attend()
        return
      })
      .catch(() => (config = undefined)))

  /** Brings the chat and has it carry out the calls that wait. */
  const load = (): unknown =>
    (panel ??= Promise.all([bring('main'), getConfig().then(() => bring(host.lang))]).then(
      ([main, words]: [typeof import('./main.tsx'), typeof import('./locales/en.ts')]) =>
        main.start(api, words.words),
    )).then(
      (carryOut) => calls.splice(0).forEach(carryOut),
      () => (panel = undefined),
    )

  const push = (...given: Call[]): void => {
    for (const call of given) {
      const [name, event, listener] = call
      if (/show|hide/.test(name)) launcher.style.display = name === 'hide' ? 'none' : ''
      else if (event === 'ready') listener?.()
      else calls.push(call)
      if (panel || /open|toggle|send/.test(name)) load()
      if (name === 'destroy') gone()
    }
  }

  /** Now and then: whether something fixed lies in the launcher's corner, or a keyboard is in use. */
  const look = (): void => {
    if (
      page.querySelector(':focus-visible') ||
      document
        .elementsFromPoint(launcher.offsetLeft + 28, innerHeight - 48)
        .some((each) => each !== host && /x|k/.test(getComputedStyle(each).position))
    )
      attend()
    else if (host.isConnected) setTimeout(look, 2_000)
  }

  const api: PageApi = { tenant, base, side, host, push, of: all }
  for (const name of 'open close toggle show hide send identify on off destroy'.split(' '))
    api[name] = (...rest: [unknown, (() => void)?]) => push([name, ...rest])
  all[tenant] = api

  sheet.replaceSync(`${styles}:host{color-scheme:${theme}!important}[part=launcher]{${side}:20px}`)
  describe()
  host.role = 'region'
  launcher.part = 'launcher'
  launcher.ariaHasPopup = 'dialog'
  launcher.ariaExpanded = 'false'
  launcher.onclick = () => push(['open'])
  launcher.onfocus = launcher.onpointerenter = load
  root.adoptedStyleSheets = [sheet]
  root.append(launcher)

  const settle = (): void => {
    // "complete" comes before "interactive" and "loading" only in the alphabet.
    if (document.readyState > 'd') return void setTimeout(settle, 200)
    // A script in the head can run before there is a body, which must come first in the Tab order.
    if (host.nextSibling) page.append(host)
    look()
    try {
      // Somebody of the team may have written since.
      if (localStorage[`sohbet:${tenant}:state`]) load()
    } catch {}
    // Safari has only the latter; there everything else of the page has loaded at least.
    const later = window.requestIdleCallback ?? setTimeout
    later(() => void getConfig())
  }
  page.append(host)
  if (isFirst) {
    window.Sohbet = api
    push(...before)
  }
  settle()
}
