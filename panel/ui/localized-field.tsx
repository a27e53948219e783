import type { VNode } from 'preact'
import type { LocalizedText } from '../../server/tenants/schema.ts'
import { PlainArea } from './plain-field.tsx'

interface LanguageWords {
  /** The names of the languages, by code. */
  languages: Readonly<Record<string, string>>
  otherLanguages: string
}

/** Returns the text of one language; of the site's own where a text is for all. */
export function textIn(value: LocalizedText, locale: string, own: string): string {
  if (typeof value === 'string') return locale === own ? value : ''
  return value[locale] ?? ''
}

/** Returns the value with the text of one language changed; one text for all while it is the only one. */
export function withText(
  value: LocalizedText,
  locale: string,
  own: string,
  text: string,
): LocalizedText {
  const before = typeof value === 'string' ? { [own]: value } : value
  const kept = Object.entries({ ...before, [locale]: text }).filter(
    ([each, words]) => each === own || (words ?? '').trim() !== '',
  )
  const [first] = kept
  if (kept.length === 1 && first?.[0] === own) return first[1] ?? ''
  return Object.fromEntries(kept)
}

/** A text in the site's language, with the other languages below. */
export function LocalizedField({
  label,
  hint,
  value,
  own,
  words,
  onInput,
  error,
  placeholder,
}: {
  label: string
  hint?: string
  /** Of the site's own language. */
  placeholder?: string | undefined
  value: LocalizedText
  /** The language of the site. */
  own: string
  words: LanguageWords
  onInput: (value: LocalizedText) => void
  error?: string | undefined
}): VNode {
  const others = Object.entries(words.languages).filter(([locale]) => locale !== own)
  return (
    <div class="stack tight">
      <PlainArea
        label={label}
        hint={hint}
        error={error}
        placeholder={placeholder}
        value={textIn(value, own, own)}
        onInput={(text) => onInput(withText(value, own, own, text))}
      />
      <details open={typeof value !== 'string'}>
        <summary class="small">{words.otherLanguages}</summary>
        <div class="stack tight">
          {others.map(([locale, name]) => (
            <PlainArea
              key={locale}
              label={`${label} (${name})`}
              value={textIn(value, locale, own)}
              onInput={(text) => onInput(withText(value, locale, own, text))}
            />
          ))}
        </div>
      </details>
    </div>
  )
}
