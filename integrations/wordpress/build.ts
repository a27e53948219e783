/** `npm run build:wordpress`: writes the plugin as a ZIP, with this version and compiled translations. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync, type Zippable } from 'fflate'
import packageInfo from '../../package.json' with { type: 'json' }
import { compileCatalogue } from './catalogue.ts'

const FOLDER = import.meta.dirname
const DIST = join(FOLDER, 'dist')
const SOURCES = ['*.php', 'readme.txt', '{includes,assets,block,languages}/*']
const VERSION = '0.0.0-dev'
/** The same sources make the same bytes. ZIP has no dates before 1980. */
const MODIFIED = new Date(1980, 0, 1)

const entries: Zippable = {}
for (const name of globSync(SOURCES, { cwd: FOLDER }).toSorted()) {
  const text = readFileSync(join(FOLDER, name), 'utf8').replaceAll(VERSION, packageInfo.version)
  entries[`sohbet/${name}`] = strToU8(text)
  if (name.endsWith('.po')) {
    entries[`sohbet/${name.replace(/\.po$/, '.mo')}`] = compileCatalogue(text)
  }
}
const file = join(DIST, `sohbet-wordpress-${packageInfo.version}.zip`)
rmSync(DIST, { recursive: true, force: true })
mkdirSync(DIST)
writeFileSync(file, zipSync(entries, { mtime: MODIFIED }))
process.stdout.write(`${file}\n`)
