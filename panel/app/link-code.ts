import { useSignal, type ReadonlySignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useApp } from './app-context.ts'

/**
 * Returns the code of the link in a mail, `#token=…`; empty without one. The code leaves the address
 * bar at once, so that the history does not keep it; another link that is opened in the same tab takes
 * its place, and `onOther` is called.
 */
export function useLinkCode(onOther?: () => void): ReadonlySignal<string> {
  const { router } = useApp()
  const code = useSignal(codeOf(location.hash) || codeOf(`#${router.hash}`))
  useEffect(() => {
    const take = (): void => {
      const found = codeOf(location.hash)
      if (found === '') return
      code.value = found
      history.replaceState(null, '', location.pathname + location.search)
    }
    const takeOther = (): void => {
      if (codeOf(location.hash) !== '') onOther?.()
      take()
    }
    take()
    addEventListener('hashchange', takeOther)
    return () => removeEventListener('hashchange', takeOther)
  }, [])
  return code
}

function codeOf(hash: string): string {
  return new URLSearchParams(hash.slice(1)).get('token') ?? ''
}
