import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MAY_IMPORT } from '../../import-map.ts'
import { slug } from '../../server/knowledge/parsers/blocks.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SERVER = join(ROOT, 'server')
const MAX_FILES_IN_FOLDER = 20
const MAX_LINES = 450
/** Below this, a file has to earn its place by a second importer. */
const MIN_LINES = 25
/** Documents that tests read, not code. */
const DATA = /^test\/(?:data|quality\/asked)\//
/** Files that a tool or the runtime finds by name, so that nothing imports them twice. */
const LOADED_BY_NAME =
  /(?:^|\/)(?:main|worker|metrics|chat-tools|quota-usage|routes(?:\.[\w-]+)?|register|schema|tables(?:\.[\w-]+)?|store(?:\.[\w-]+)?|warm-compile-cache)\.ts$|\.d\.ts$|^server\/locales\/|^server\/storage\/migrations\/|^server\/prompts\/library\/|\/locales\//

const FOLDERS = [
  'server',
  'panel',
  'widget',
  'client/src',
  'integrations/wordpress',
  'tools',
  'test',
  'bench',
]
const files = FOLDERS.flatMap((folder) => listFiles(join(ROOT, folder)))
const code = files.filter((file) => /\.tsx?$/.test(file))
const imports = new Map(code.map((file) => [file, importsOf(file)]))

describe('the structure of the code', () => {
  test(`no folder holds more than ${MAX_FILES_IN_FOLDER} files side by side`, () => {
    const counts = Map.groupBy(
      files.filter((file) => !DATA.test(file)),
      (file) => dirname(file),
    )
    const full = [...counts].filter(([, inside]) => inside.length > MAX_FILES_IN_FOLDER)
    expect(full.map(([folder, inside]) => `${folder}: ${inside.length} files`)).toEqual([])
  })

  test(`no file has more than ${MAX_LINES} lines`, () => {
    const long = files.filter((file) => /\.(?:tsx?|css)$/.test(file) && linesOf(file) > MAX_LINES)
    expect(long).toEqual([])
  })

  test(`a file of the server with fewer than ${MIN_LINES} lines has two importers`, () => {
    const importers = Map.groupBy(
      [...imports].flatMap(([from, to]) => to.map((file) => ({ from, file }))),
      ({ file }) => file,
    )
    const lonely = code.filter(
      (file) =>
        file.startsWith('server/') &&
        !LOADED_BY_NAME.test(file) &&
        linesOf(file) < MIN_LINES &&
        (importers.get(file)?.length ?? 0) < 2,
    )
    expect(lonely).toEqual([])
  })

  test('a name that several files of the server export means one thing', () => {
    const exporters = Map.groupBy(
      code
        .filter((file) => file.startsWith('server/') && !file.startsWith('server/locales/'))
        .flatMap((file) => exportsOf(file).map((name) => ({ file, name }))),
      ({ name }) => name,
    )
    const shared = [...exporters].filter(
      ([, found]) => new Set(found.map(({ file }) => file)).size > 1,
    )
    expect(
      shared.map(([name, found]) => `${name}: ${found.map(({ file }) => file).join(', ')}`),
    ).toEqual([])
  })
})

describe('the import map', () => {
  const used = new Set(
    [...imports].flatMap(([from, to]) => to.map((file) => `${folderOf(from)} > ${folderOf(file)}`)),
  )

  test('grants nothing that is not used', () => {
    const unused = Object.entries(MAY_IMPORT).flatMap(([folder, grants]) =>
      grants
        .split(' ')
        .filter((grant) => grant !== '' && !used.has(`${folder} > ${grant}`))
        .map((grant) => `${folder} > ${grant}`),
    )
    expect(unused).toEqual([])
  })

  test('points one way', () => {
    const path: string[] = []
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (folder: string) => {
      if (path.includes(folder))
        circles.push([...path.slice(path.indexOf(folder)), folder].join(' > '))
      if (path.includes(folder) || done.has(folder)) return
      path.push(folder)
      for (const grant of (MAY_IMPORT[folder] ?? '').split(' ')) if (grant !== '') visit(grant)
      path.pop()
      done.add(folder)
    }
    for (const folder of Object.keys(MAY_IMPORT)) visit(folder)
    expect(circles).toEqual([])
  })
})

describe('the documents', () => {
  const documents = [
    ...readdirSync(ROOT).filter((file) => file.endsWith('.md')),
    ...listFiles(join(ROOT, 'docs')).filter((file) => file.endsWith('.md')),
  ]

  test('link only to files and headings that exist', () => {
    const dead = documents.flatMap((file) =>
      linksOf(file)
        .filter((link) => !leadsSomewhere(file, link))
        .map((link) => `${file}: ${link}`),
    )
    expect(dead).toEqual([])
  })
})

/** Relative links of a Markdown file, code aside. */
function linksOf(file: string): string[] {
  const prose = textOf(file).replaceAll(/^( *)```[^]*?^\1```|`[^`\n]*`/gm, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? from : join(dirname(from), path)
  if (!existsSync(join(ROOT, target))) return false
  return anchor === undefined || anchorsOf(target).includes(anchor)
}

function anchorsOf(file: string): string[] {
  const prose = textOf(file).replaceAll(/^( *)```[^]*?^\1```/gm, '')
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading))
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

function linesOf(file: string): number {
  return textOf(file).trimEnd().split('\n').length
}

function importsOf(file: string): string[] {
  return [...textOf(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(
    ([, specifier = '']) => relative(ROOT, resolve(ROOT, dirname(file), specifier)),
  )
}

function exportsOf(file: string): string[] {
  const names = textOf(file).matchAll(
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm,
  )
  return [...names].map(([, name = '']) => name)
}

/** A folder of the server as the map names it; the folder itself for everything else. */
function folderOf(file: string): string {
  return file.startsWith('server/') ? relative(SERVER, join(ROOT, dirname(file))) : dirname(file)
}
