import type { VNode } from 'preact'
import { useApp } from '../app-context.ts'
import { Button } from '../../ui/button.tsx'

/** Switches to the panel's other language, which is named in that language. */
export function LanguageSwitch(): VNode {
  const { language, chooseLanguage } = useApp()
  const other = language.value === 'tr' ? 'en' : 'tr'
  return (
    <Button kind="plain" small icon="globe" onPress={() => chooseLanguage(other)}>
      <span lang={other}>{other === 'tr' ? 'Türkçe' : 'English'}</span>
    </Button>
  )
}
