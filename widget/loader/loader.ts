import type { Answer, Call, PageApi, Run } from '../host/embed.ts'
import styles from './launcher.css?inline'

/** The folder of the chunks, relative to this script; put in by the build. */
declare const FOLDER: string

/** The tags of the locales, such as `tr|en`; put in by the build. */
declare const LOCALE_TAGS: string

/** A script tag, as far as it matters here. */
type Tag = Pick<HTMLElement, 'getAttribute'> & { src?: string }

/** Puts the launcher of the widget that `script` asks for into the page. */
export function embed(script: Tag | null): void {
  const read = (name: string, pattern: string, usual = ''): string => {
    const value = script?.getAttribute(`data-${name}`) ?? usual
    if (RegExp(`^(${pattern})$`).test(value)) return value
    console.error(`Sohbet: check data-${name}`)
    return usual
  }
  const tenant = read('tenant', '.+')
  const before = window.Sohbet ?? []
  const all = before.of ?? {}
  // The same tag again: the widget is there already.
  if (!tenant || all[tenant]) return
  const theme = read('theme', 'light|dark|auto', 'auto').replace('auto', 'light dark')
  const side = read('position', 'right|left', 'right')
  const asked = read('locale', `(${LOCALE_TAGS}).*|`)
  const base = new URL(read('branding-url', 'https?:.+', script!.src)).origin

  const page = document.documentElement
  const host = document.createElement('sohbet-widget')
  const root = host.attachShadow({ mode: 'open' })
  const launcher = document.createElement('button')
  const sheet = new CSSStyleSheet()
  const calls: Call[] = []
  let config: Promise<unknown> | null
  let panel: Promise<Run> | null

  const bring = (name: string) =>
    import(/* @vite-ignore */ new URL(`${FOLDER}${name}.js`, script!.src).href)

  /**
   * In the first language we have of: the tag's, the tenant's, the page's. The name is a word that most
   * of them share; the chat brings the right one when it is loaded, with the focus at the latest.
   */
  const describe = (locale?: string): void => {
    host.lang = `${asked} ${locale} ${page.lang} en`.match(`\\b(${LOCALE_TAGS})\\b`)![0]
    host.ariaLabel = launcher.ariaLabel = host.lang === 'tr' ? 'Sohbet' : 'Chat'
  }

  const gone = (): void => {
    host.remove()
    delete all[tenant]
    if (window.Sohbet === api) delete window.Sohbet
  }

  const getConfig = (): Promise<unknown> =>
    (config ??= fetch(`${base}/api/v1/widget/${tenant}/config?locale=${asked}`)
      .then((response) => response.json())
      .then((answer: Answer): unknown => {
        // A chunk for tenants with page settings, which most have not, and for what is no tenant.
        if (!answer.active || answer.theme.page)
          void bring('page').then((chunk: typeof import('../page/page-features.ts')) =>
            chunk.start(api, answer),
          )
        // Throws for an answer without settings.
        host.style.setProperty('--_color', answer.theme.color ?? '')
        describe(answer.locale)
        api.config = answer
        // The team may have written since. Throws where storage is blocked.
        if (localStorage[`sohbet:${tenant}:state`]) load()
        // The first click then waits for no network.
        return navigator.connection?.saveData || Promise.all([bring('main'), bring(host.lang)])
      })
      .catch(() => (config = null)))

  /** Brings the chat and has it carry out the calls that wait. */
  const load = (): unknown =>
    (panel ??= Promise.all([bring('main'), getConfig().then(() => bring(host.lang))]).then(
      ([main, strings]: [typeof import('../main.tsx'), typeof import('../locales/en.ts')]) =>
        main.start(api, strings, calls),
    )).then(
      (carryOut) => calls.splice(0).forEach(carryOut),
      () => (panel = null),
    )

  const push = (...given: Call[]): void => {
    for (const call of given) {
      const [name, event, listener] = call
      // The letters that only these have: show and hide; open, toggle, send and standby; destroy; reset.
      if (/h/.test(name)) launcher.style.display = name === 'hide' ? 'none' : ''
      else if (event === 'ready') listener?.()
      else calls.push(call)
      if (panel || /pe|gg|nd/.test(name)) load()
      if (/ro/.test(name)) gone()
      // At once: the page of a sign-out is left before a chat could be loaded.
      if (/set/.test(name))
        try {
          for (const key in localStorage)
            if (key.match(`sohbet:${tenant}:`)) delete localStorage[key]
        } catch {
          // Storage is blocked, so it holds no conversation.
        }
    }
  }

  /**
   * Now and then, while the page is seen: keeps above cookie banners, sticky bars and other launchers in
   * its corner, and off what has the focus. An element that reaches into the upper half is a dialog,
   * which cannot be evaded.
   */
  const look = (): void => {
    if (!document.hidden) {
      let free = 20
      // Across the launcher's place, and again for each place that it moves to.
      for (let at = 64; (at -= 16);)
        for (const each of document.elementsFromPoint(
          host.offsetLeft + at,
          innerHeight - free - at,
        )) {
          const above = innerHeight - each.getBoundingClientRect().top + 12
          if (
            each !== host &&
            // Only ever higher: an element may reach out of its box, as a panel in a shadow tree does.
            above > free &&
            above < innerHeight / 2 &&
            (each.matches(':focus') || /x|k/.test(getComputedStyle(each).position))
          ) {
            free = above
            at = 64
          }
        }
      // The same value as before lays nothing out and paints nothing.
      host.style.setProperty('--_bottom', `${free}px`)
    }
    if (host.isConnected) setTimeout(look, 2e3)
  }

  const api: PageApi = { tenant, base, side, host, push, of: all }
  all[tenant] = api
  for (const name of 'open close toggle show hide send identify reset on off destroy'.split(' '))
    api[name] = (...rest: [unknown, (() => void)?]) => push([name, ...rest])

  sheet.replaceSync(`${styles}:host{color-scheme:${theme}!important;${side}:20px!important}`)
  describe()
  host.role = 'region'
  launcher.part = 'launcher'
  launcher.onclick = () => push(['open'])
  launcher.onfocus = launcher.onpointerenter = load
  root.adoptedStyleSheets = [sheet]
  root.append(launcher)

  const settle = (): void => {
    // "complete" comes before "interactive" and "loading" only in the alphabet.
    if (document.readyState > 'd') setTimeout(settle, 99)
    else {
      // A script in the head can run before there is a body, which must come first in the Tab order.
      if (host.nextSibling) page.append(host)
      // Safari has only the latter; there everything else of the page has loaded at least.
      const later: (act: () => unknown) => void = window.requestIdleCallback ?? setTimeout
      later(getConfig)
      // When the page has been painted: before that it would be laid out for this alone.
      setTimeout(look, 99)
    }
  }
  page.append(host)
  if (!before.of) {
    window.Sohbet = api
    push(...before)
  }
  settle()
}
