import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/actions.ts'
import { LocalizedField } from '../../ui/localized-field.tsx'
import { languageOfSite, type Texts } from './texts.ts'

/** A text of visitors: in the site's language, with the other languages below. */
export function AreaText({
  label,
  hint,
  value,
  words,
  error,
  placeholder,
  onInput,
}: {
  label: string
  hint: string
  value: Texts
  words: Words
  error?: string | undefined
  placeholder?: string
  onInput: (value: Texts) => void
}): VNode {
  const { site } = useApp()
  const own = languageOfSite(site.value?.locale)
  const isPlain = Object.keys(value).every((language) => language === own)
  return (
    <LocalizedField
      label={label}
      hint={hint}
      value={isPlain ? (value[own] ?? '') : value}
      own={own}
      words={words}
      error={error}
      placeholder={placeholder}
      onInput={(text) => onInput(typeof text === 'string' ? { [own]: text } : text)}
    />
  )
}
