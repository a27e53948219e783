import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { BUILT_PANEL } from '../../lib/built-files.ts'

/** Vite's list of the built files by their source. */
const Manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.array(z.string()).default([]),
    imports: z.array(z.string()).default([]),
  }),
)
type Manifest = z.infer<typeof Manifest>

/** The folders of pages that are not called as their address. */
const FOLDERS: Readonly<Record<string, string>> = { '': 'home', widget: 'widget-settings' }
const ENTRY = 'index.html'
/** What every page asks for, and Home besides: asked beside the scripts that want to know it. */
const ME = '/api/v1/auth/me'
const OVERVIEW = '/api/v1/overview'

/**
 * Returns the `Link` header of a page of the panel for somebody who is signed in: its code, style, words
 * and first answers, which the browser would otherwise ask for one after the other. What the markup
 * names is among them: the header is read while the markup is not.
 * @param path below `/panel`, such as `inbox/ses_1`
 */
export function panelPreloads(path: string, acceptLanguage: string | undefined): string {
  const [name = ''] = path.split('/')
  const folder = FOLDERS[name] ?? name
  const language = languageOf(acceptLanguage)
  const manifest = readManifest()
  const files = new Set<string>()
  for (const source of [
    ENTRY,
    `pages/${folder}/page.tsx`,
    `locales/${language}/${folder}.ts`,
    `locales/${language}/common.ts`,
  ]) {
    collect(manifest, source, files)
  }
  return [
    ...[ME, ...(name === '' ? [OVERVIEW] : [])].map(
      (url) => `<${url}>; rel=preload; as=fetch; crossorigin`,
    ),
    ...[...files].map((file) =>
      file.endsWith('.css')
        ? `</panel/${file}>; rel=preload; as=style; crossorigin`
        : `</panel/${file}>; rel=modulepreload`,
    ),
  ].join(', ')
}

/** Adds the files of a source and of what it imports. */
function collect(manifest: Manifest, source: string, files: Set<string>): void {
  const built = manifest[source]
  if (!built || files.has(built.file)) return
  files.add(built.file)
  for (const style of built.css) files.add(style)
  for (const imported of built.imports) collect(manifest, imported, files)
}

/** Returns the first of the panel's languages that the browser wishes, as the panel itself does. */
function languageOf(acceptLanguage = ''): string {
  return /(?:^|[\s,])(tr|en)\b/i.exec(acceptLanguage)?.[1]?.toLowerCase() ?? 'en'
}

function readManifest(): Manifest {
  const path = join(BUILT_PANEL, '.vite/manifest.json')
  return existsSync(path) ? Manifest.parse(JSON.parse(readFileSync(path, 'utf8'))) : {}
}
