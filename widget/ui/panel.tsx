import type { VNode } from 'preact'
import { Composer } from './composer.tsx'
import { Conversation } from './conversation.tsx'
import { Icon } from './icon.tsx'
import type { AppContext } from './app-context.ts'

/** The dialog above the launcher; on a phone it fills the screen. */
export function Panel({ app }: { app: AppContext }): VNode {
  const { host, chat, ui } = app
  const { config, side } = host
  const { strings } = ui
  const name = config?.name ?? strings.title
  const { menu, subtitle, operator } = ui.slots.value
  // An uploaded logo is a path of the API.
  const picture = operator
    ? operator.picture
    : config?.theme.logo_url?.replace(/^(?=\/)/, host.base)
  return (
    <div
      class={`panel ${side}`}
      part="panel"
      role="dialog"
      aria-labelledby="tenant"
      aria-modal={ui.isFullScreen.value}
      lang={strings.tag}
      dir={strings.dir}
      // `main.tsx` keeps it, so that opening does not draw.
      hidden={!chat.isOpen.peek()}
    >
      <div class="head">
        <span class="logo" aria-hidden="true">
          {[...(operator?.name ?? name)][0]}
          {/* The panel is drawn for many who never open it: they need no request more. */}
          {picture && <img key={picture} loading="lazy" src={picture} alt="" />}
        </span>
        <div>
          <h2 id="tenant">
            <bdi>{name}</bdi>
          </h2>
          <p>{subtitle?.() ?? strings.subtitle}</p>
        </div>
        <button
          class="more round"
          aria-label={strings.menu}
          aria-haspopup="menu"
          aria-expanded={menu !== undefined}
          onClick={ui.openMenu}
        >
          <Icon name="menu" />
        </button>
        <button class="close round" aria-label={strings.close} onClick={ui.close}>
          <Icon name="close" />
        </button>
        {menu?.()}
      </div>
      <Conversation app={app} />
      <Composer app={app} />
    </div>
  )
}
