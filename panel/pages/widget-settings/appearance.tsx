import type { VNode } from 'preact'
import type { Theme } from '../../../server/tenants/schema.ts'
import { LogoField } from '../../embed/logo-field.tsx'
import { PlainField, PlainSelect } from '../../ui/plain-field.tsx'
import type { PartProps } from './part.ts'

const DEFAULT_COLOR = '#2255ee'

/** Name, color, corners, logo and language. */
export function Appearance({ draft, change, words, errorOf }: PartProps): VNode {
  const { theme } = draft
  const setTheme = (changes: Partial<Theme>): void => change({ theme: { ...theme, ...changes } })

  function setLogo(address: string): void {
    const { logo_url: _, ...rest } = theme
    change({ theme: address === '' ? rest : { ...rest, logo_url: address } })
  }

  return (
    <>
      <PlainField
        label={words.name}
        hint={words.nameHint}
        value={draft.name}
        onInput={(name) => change({ name })}
        error={errorOf('/name')}
      />
      <PlainField
        label={words.color}
        hint={words.colorHint}
        type="color"
        value={theme.color ?? DEFAULT_COLOR}
        onInput={(color) => setTheme({ color })}
      />
      <PlainField
        label={words.radius}
        type="number"
        min={0}
        max={24}
        value={String(theme.radius ?? 16)}
        onInput={(text) => setTheme({ radius: Number(text) })}
        error={errorOf('/theme/radius')}
      />
      <LogoField
        label={words.logo}
        words={words.embed.logo}
        value={theme.logo_url ?? ''}
        onChange={setLogo}
        error={errorOf('/theme/logo_url')}
      />
      <PlainSelect
        label={words.siteLanguage}
        hint={words.siteLanguageHint}
        value={draft.locale}
        options={Object.entries(words.languages).map(([value, label]) => ({ value, label }))}
        onPick={(locale) => change({ locale })}
      />
    </>
  )
}
