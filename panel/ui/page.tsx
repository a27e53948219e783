import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError } from '../app/api/api.ts'
import { useApp } from '../app/app-context.ts'
import type { Resource } from '../app/api/resource.ts'
import { BASE } from '../app/router.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

/** The title of a page, which is also the title of the tab, with a sentence and actions. */
export function PageHead({
  title,
  lead,
  children,
}: {
  title: string
  lead?: ComponentChildren
  children?: ComponentChildren
}): VNode {
  useEffect(() => {
    document.title = `${title} · Sohbet`
  }, [title])
  return (
    <header class="page-head">
      <div>
        <h1>{title}</h1>
        {lead && <p>{lead}</p>}
      </div>
      {children && <div class="row">{children}</div>}
    </header>
  )
}

/** The way from one row's page back to its list. `path` is below `/panel`. */
export function BackLink({ path, children }: { path: string; children: ComponentChildren }): VNode {
  return (
    <p class="crumb">
      <a href={BASE + path}>
        <span aria-hidden="true">← </span>
        {children}
      </a>
    </p>
  )
}

export function Card({
  title,
  actions,
  flush,
  children,
}: {
  title?: string
  actions?: ComponentChildren
  /** Without padding, for tables and lists. */
  flush?: boolean
  children: ComponentChildren
}): VNode {
  return (
    <section class={flush ? 'card flush' : 'card'}>
      {(title || actions) && (
        <header>
          <h2>{title}</h2>
          {actions && <div class="row">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  )
}

/** An empty state: what will be here, and the first step. */
export function Empty({
  icon,
  title,
  isPage = false,
  children,
  action,
}: {
  icon: IconName
  title: string
  /** Whether it is the whole page, whose heading it has then. */
  isPage?: boolean
  children?: ComponentChildren
  action?: ComponentChildren
}): VNode {
  return (
    <div class="empty">
      <Icon name={icon} />
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children && <p>{children}</p>}
      {action}
    </div>
  )
}

/** Lines in the place of what loads; they appear after 300 ms. */
export function Skeleton({ lines = 5 }: { lines?: number }): VNode {
  const { words } = useApp()
  return (
    <div class="skeleton" role="status" aria-label={words.value.loading}>
      {Array.from({ length: lines }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  )
}

export function Failure({ error, retry }: { error: unknown; retry?: () => unknown }): VNode {
  const app = useApp()
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <div class="empty" role="alert">
      <Icon name="warning" />
      <p>{app.explain(error)}</p>
      {retry && !isMissing && <Button onPress={retry}>{app.words.value.retry}</Button>}
    </div>
  )
}

/** In the place of a page of one site while the sites load, or where they could not be loaded. */
export function SitesLoading({ title }: { title?: string }): VNode {
  const { sitesError, reloadSites } = useApp()
  return (
    <>
      {title !== undefined && <PageHead title={title} />}
      {sitesError.value === undefined ? (
        <Skeleton />
      ) : (
        <Failure error={sitesError.value} retry={() => reloadSites().catch(() => undefined)} />
      )}
    </>
  )
}

/** Shows a loaded value, its skeleton before, or its error with a button to try again. */
export function Loaded<Value>({
  of,
  lines,
  children,
}: {
  of: Resource<Value>
  lines?: number
  children: (value: Value) => ComponentChildren
}): VNode {
  const value = of.value.value
  if (value !== undefined) return <>{children(value)}</>
  if (of.error.value !== undefined) return <Failure error={of.error.value} retry={of.reload} />
  return <Skeleton lines={lines ?? 5} />
}

/** Tabs are links: each has an address. `path` is below `/panel`. */
export function Tabs({
  items,
  current,
  label,
}: {
  items: readonly { path: string; label: string; count?: number | undefined }[]
  current: string
  label: string
}): VNode {
  const list = useRef<HTMLElement>(null)
  // On a phone the tabs scroll, and the current one may be outside.
  useEffect(() => {
    const chosen = list.current?.querySelector('[aria-current]')
    chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return (
    <nav ref={list} class="tabs" aria-label={label}>
      {items.map((item) => (
        <a
          key={item.path}
          href={BASE + item.path}
          aria-current={item.path === current ? 'page' : undefined}
        >
          {item.label}
          {item.count ? <span class="soft"> {item.count}</span> : null}
        </a>
      ))}
    </nav>
  )
}

export type Tone = 'good' | 'warn' | 'wrong' | 'accent' | 'plain'

/** Length of a text that is a sentence, which may wrap; a state stays on its line. */
const MIN_SENTENCE_LENGTH = 24

export function Badge({
  tone = 'plain',
  lang,
  children,
}: {
  tone?: Tone
  /** The language of a text that is not the reader's, such as a sentence of the server. */
  lang?: 'en' | undefined
  children: ComponentChildren
}): VNode {
  const isSentence = typeof children === 'string' && children.length >= MIN_SENTENCE_LENGTH
  return (
    <span class={`badge ${tone}${isSentence ? ' sentence' : ''}`} lang={lang}>
      {children}
    </span>
  )
}

/** A moment, relative on screen and exact on hover. */
export function Ago({ at }: { at: string }): VNode {
  const { format } = useApp()
  return (
    <time dateTime={at} title={format.value.dateTime(at)}>
      {format.value.ago(at)}
    </time>
  )
}

/** A person's picture, or the first letters of the name. */
export function Avatar({ name, picture }: { name: string; picture?: string | null }): VNode {
  if (picture) return <img class="avatar" src={picture} alt="" />
  return (
    <span class="avatar" aria-hidden="true">
      {lettersOf(name)}
    </span>
  )
}

/** The first letters of the first two words. */
export function lettersOf(name: string): string {
  const [first = '', second = ''] = name.trim().split(/\s+/)
  return [first, second]
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}

/** Text to copy, such as a key or the tag. */
export function CopyBox({ text, label }: { text: string; label?: string }): VNode {
  const { words, toasts } = useApp()
  return (
    <pre class="code" aria-label={label}>
      <code>{text}</code>
      <Button
        small
        icon="copy"
        onPress={async () => {
          await navigator.clipboard.writeText(text)
          toasts.done(words.value.copied)
        }}
      >
        {words.value.copy}
      </Button>
    </pre>
  )
}
