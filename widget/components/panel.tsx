import type { VNode } from 'preact'
import { Composer } from './composer.tsx'
import { Conversation } from './conversation.tsx'
import { Icon } from './icon.tsx'
import type { View } from './view.ts'

/** The dialog above the launcher; on a phone it fills the screen. */
export function Panel({ view }: { view: View }): VNode {
  const { chat, words, config, side } = view
  const name = config?.name ?? words.title
  return (
    <div
      class={`panel ${side}`}
      part="panel"
      role="dialog"
      aria-labelledby="tenant"
      aria-modal={view.isFull.value}
      lang={words.tag}
      hidden={!chat.isOpen.value}
    >
      <div class="head">
        <span class="logo" aria-hidden="true">
          {[...name][0]}
          {config?.theme.logo_url && <img src={config.theme.logo_url} alt="" />}
        </span>
        <div>
          <h2 id="tenant" dir="auto">
            {name}
          </h2>
          <p>{words.subtitle}</p>
        </div>
        <button class="close" aria-label={words.close} onClick={view.close}>
          <Icon name="close" />
        </button>
      </div>
      <Conversation view={view} />
      <Composer view={view} />
    </div>
  )
}
