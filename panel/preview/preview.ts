/** Puts the real widget on this page, as the address says: `tenant`, `theme`, `locale`, `position`. */
const given = new URLSearchParams(location.search)
const theme = given.get('theme') ?? 'light'
document.documentElement.style.colorScheme = theme

const color = given.get('color')
if (color !== null) document.documentElement.style.setProperty('--sohbet-color', color)

// Calls that are queued before the widget has loaded.
if (given.has('open')) Object.assign(window, { Sohbet: [['open']] })

const tag = document.createElement('script')
tag.src = '/widget.js'
tag.async = true
tag.dataset.tenant = given.get('tenant') ?? ''
tag.dataset.theme = theme
for (const name of ['locale', 'position']) {
  const value = given.get(name)
  if (value !== null) tag.dataset[name] = value
}
document.head.append(tag)
