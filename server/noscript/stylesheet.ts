const DEFAULT_COLOR = '#2255ee'
const DEFAULT_RADIUS = 20

/**
 * Returns the page's only style sheet. Lightness in LCH follows luminance, so clamping it keeps the
 * contrast of every tenant's color, as in the widget; browsers without LCH use a fixed dark color.
 */
export function stylesheet({
  color = DEFAULT_COLOR,
  radius = DEFAULT_RADIUS,
}: {
  color?: string | undefined
  radius?: number | undefined
}): string {
  return `
:root { color-scheme: light dark; --surface: #fff; --raised: #f1f2f5; --line: #dfe2e8; --edge: #858b98; --text: #171a21; --soft: #565c69; --wrong: #b3261e; --fill: #171a21; --on-fill: #fff; --link: #1a44c2; --r: ${radius}px }
@media (prefers-color-scheme: dark) { :root { --surface: #15171c; --raised: #24272f; --line: #363b46; --edge: #757c8a; --text: #eceef3; --soft: #a7adba; --wrong: #ff9c92; --fill: #eceef3; --on-fill: #15171c; --link: #a9bdff } }
@supports (color: lch(from red l c h)) {
:root { --fill: lch(from ${color} min(l, 58) c h); --on-fill: lch(from var(--fill) calc((49 - l) * 99) 0 0); --link: lch(from ${color} min(l, 39) c h) }
@media (prefers-color-scheme: dark) { :root { --fill: lch(from ${color} max(l, 46) c h); --link: lch(from ${color} max(l, 70) c h) } }
}
* { box-sizing: border-box }
html { background: var(--surface); color: var(--text); font: 1.0625rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; scroll-padding: 5.5rem 0 8rem; -webkit-text-size-adjust: 100% }
body { margin: 0; min-height: 100vh; background: linear-gradient(color-mix(in oklab, var(--fill) 12%, transparent), transparent 22rem) }
header, main { max-width: 42rem; margin: 0 auto; padding-inline: 1.25rem }
header { display: flex; align-items: center; gap: .8rem; padding-block: 1.25rem .5rem }
h1 { margin: 0; font-size: 1.125rem; line-height: 1.3 }
.mark { display: grid; place-items: center; flex: none; width: 2.75rem; height: 2.75rem; border-radius: .8rem; background: var(--fill); color: var(--on-fill); font-size: 1.25rem; font-weight: 650 }
.greeting { margin: 1rem 0 1.25rem; font-size: clamp(1.4rem, 5vw, 1.75rem); font-weight: 650; line-height: 1.3; text-wrap: balance }
a { color: var(--link); text-underline-offset: .15em }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
.log { display: grid; gap: 1.1rem; margin: 0 0 1.5rem; padding: 0; list-style: none }
.log > li { display: grid; justify-items: start; gap: .3rem; min-width: 0; overflow-wrap: anywhere }
.log > .visitor { justify-items: end }
.log > .system { justify-items: center; color: var(--soft); text-align: center }
.who { color: var(--soft); font-size: .8rem }
.bubble { max-width: 88%; padding: .65rem 1rem; border-radius: var(--r); background: var(--raised); border-end-start-radius: .3rem }
.visitor .bubble { border-end-start-radius: var(--r); border-end-end-radius: .3rem; background: var(--fill); color: var(--on-fill) }
.system .bubble { padding: 0; background: none }
.bubble > * { margin: 0; padding-inline-start: 0 }
.bubble > * + * { margin-block-start: .5rem }
.bubble > ul, .bubble > ol { padding-inline-start: 1.3rem }
.sources, .chips { display: flex; flex-wrap: wrap; gap: .5rem; margin: .1rem 0 0; padding: 0; list-style: none }
.sources a { display: block; padding: .3rem .7rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--surface); font-size: .875rem; text-decoration: none }
.sources a:hover { border-color: currentColor }
.chips { margin: 0 0 1.5rem }
.chips button, .quiet { border: 1px solid var(--edge); background: var(--surface); color: var(--link) }
button { min-height: 2.75rem; padding: .55rem 1.15rem; border: 1px solid transparent; border-radius: 1.4rem; background: var(--fill); color: var(--on-fill); font: inherit; font-weight: 600; line-height: 1.35; cursor: pointer }
.chips button:hover, .quiet:hover { background: var(--raised) }
textarea, input:not([type=checkbox]) { width: 100%; padding: .6rem 1rem; border: 1px solid var(--edge); border-radius: 1.4rem; background: var(--surface); color: inherit; font: inherit }
textarea:focus, input:focus { border-color: var(--link) }
input[aria-invalid=true] { border-color: var(--wrong) }
.composer { display: grid; grid-template-columns: 1fr auto; gap: .3rem .6rem; align-items: end; padding-block: .75rem 1rem; border-block-start: 1px solid var(--line); background: var(--surface) }
.composer label { grid-column: 1 / -1; color: var(--soft); font-size: .875rem; font-weight: 500 }
.composer textarea { min-height: 2.9rem; max-height: 30vh; field-sizing: content; resize: vertical }
@supports (field-sizing: content) { .composer textarea { resize: none } }
@media (min-height: 30rem) { .composer { position: sticky; bottom: 0; padding-block-end: max(1rem, env(safe-area-inset-bottom)) } }
.more { padding-block: .75rem 3rem }
.more > p { margin: 0 }
.more > * { border-block-end: 1px solid var(--line) }
.more > :last-child { border: 0 }
.more a, summary, .more > form { display: flex; align-items: center; min-height: 3.25rem; font-weight: 550 }
summary { gap: .6rem; color: var(--link); cursor: pointer; list-style: none }
summary::-webkit-details-marker { display: none }
summary::before { content: ''; width: .5rem; height: .5rem; margin-inline-start: .15rem; border: solid; border-width: 0 .13rem .13rem 0; rotate: 45deg }
[open] > summary::before { rotate: 225deg }
.more a { color: var(--link); text-decoration: none }
.more .bare { width: 100%; min-height: 3.25rem; padding: 0; border: 0; border-radius: .3rem; background: none; color: var(--link); font-weight: 550; text-align: start }
.more a:hover, .more .bare:hover, summary:hover { text-decoration: underline }
details > :not(summary) { margin-block: 0 1.25rem }
details label { display: block; margin-block: .7rem .25rem; font-weight: 550 }
details .check { display: flex; gap: .7rem; align-items: start; font-weight: 400; color: var(--soft) }
.check input { flex: none; width: 1.5rem; height: 1.5rem; margin: 0; accent-color: var(--link) }
details button { margin-block-start: 1rem }
.wrong { color: var(--wrong); font-size: .9rem }
.notice { margin: .75rem 0 1.25rem; padding: .8rem 1.1rem; border-radius: var(--r); background: var(--raised); border: 1px solid var(--line) }
.notice[role=alert] { border-color: var(--wrong); color: var(--wrong) }
@media (forced-colors: active) { .bubble, .mark, button { border: 1px solid } }
`
}
