import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const LOCALES = join(import.meta.dirname, '../../panel/locales')

type Words = { [key: string]: string | Words | ((...values: never[]) => string) }

/** Sentences by error codes are complete in Turkish; English shows those of the server. */
const ERRORS = /^common\.ts\.errors/

function pathsOf(words: Words, path: string): string[] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'object' ? pathsOf(value, `${path}.${key}`) : [`${path}.${key}`],
  )
}

async function wordsOf(language: string, file: string): Promise<string[]> {
  const path = join(LOCALES, language, file)
  const module: Record<string, Words> = await import(path)
  const words = module.words ?? module.common ?? {}
  return pathsOf(words, file).filter((each) => !ERRORS.test(each))
}

test.each(globSync('**/*.ts', { cwd: join(LOCALES, 'en') }))(
  'the panel says everything of %s in both languages',
  async (file) => {
    const english = await wordsOf('en', file)
    expect(english.length).toBeGreaterThan(0)
    expect((await wordsOf('tr', file)).toSorted()).toEqual(english.toSorted())
  },
)
