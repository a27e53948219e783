import type { Events } from './public.ts'

export type PageEvents = ReturnType<typeof createPageEvents>

/** The page's listeners, of unknown types; a listener that throws does not keep others from running. */
export function createPageEvents() {
  let listeners: [name: unknown, listener: unknown][] = []
  return {
    on(name: unknown, listener: unknown): void {
      listeners.push([name, listener])
    },
    off(name: unknown, listener: unknown): void {
      listeners = listeners.filter((each) => each[0] !== name || each[1] !== listener)
    },
    emit<Name extends keyof Events>(event: Name, detail: Events[Name]): void {
      for (const [name, listener] of listeners) {
        try {
          if (name === event && typeof listener === 'function') listener(detail)
        } catch (error) {
          reportError(error)
        }
      }
    },
  }
}
