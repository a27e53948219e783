/** `npm run build:client`: writes the package `sohbet` to `client/dist`, ready for `npm pack`. */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'vite'
import { z } from 'zod'
import { NAMED_SCHEMAS } from '../server/api-schemas.ts'
import { printTypes } from './type-printer.ts'

const ROOT = resolve(import.meta.dirname, '..')
const SOURCES = join(ROOT, 'client/src')
const DIST = join(ROOT, 'client/dist')
/** Below `node_modules`, so that the compiler finds React's types. */
const STAGE = join(ROOT, 'node_modules/.cache/client-types')
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc')

rmSync(DIST, { recursive: true, force: true })
await buildModules()
buildTypes()

async function buildModules(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: DIST,
      // Node 20 and the browsers of its time.
      target: 'es2022',
      minify: true,
      lib: {
        entry: { index: join(SOURCES, 'index.ts'), react: join(SOURCES, 'react.ts') },
        formats: ['es'],
      },
      rolldownOptions: {
        external: ['react'],
        output: { minify: true, banner: ({ name }) => (name === 'react' ? '"use client";' : '') },
      },
    },
  })
}

/** Compiles a copy of the sources whose schemas are written out: what compiles there stands alone. */
function buildTypes(): void {
  rmSync(STAGE, { recursive: true, force: true })
  mkdirSync(STAGE, { recursive: true })
  cpSync(SOURCES, STAGE, { recursive: true })
  const names = readFileSync(join(SOURCES, 'schemas.ts'), 'utf8').matchAll(/\{([\w\s,]+)\}/g)
  const wanted = [...names].flatMap(([, list = '']) => list.split(',').map((name) => name.trim()))
  const schemas = wanted.filter(Boolean).map((name): [string, z.ZodType] => {
    const schema = NAMED_SCHEMAS[name]
    if (!(schema instanceof z.ZodType)) throw new Error(`No schema is called ${name}.`)
    return [name, schema]
  })
  writeFileSync(join(STAGE, 'schemas.ts'), printTypes(new Map(schemas)))
  const options = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      target: 'ES2022',
      lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      types: [],
      outDir: DIST,
      rootDir: STAGE,
    },
    include: [STAGE],
    exclude: [],
  }
  writeFileSync(join(STAGE, 'tsconfig.json'), JSON.stringify(options))
  execFileSync(process.execPath, [COMPILER, '-p', STAGE], { stdio: 'inherit' })
  for (const file of globSync(join(DIST, '*.d.ts'))) {
    const text = readFileSync(file, 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'")
    writeFileSync(join(DIST, basename(file)), text)
  }
}
