import { batch, signal } from '../runtime/signals.ts'
import type { Session } from '../../server/chat/schema.ts'
import type { Identity } from '../host/public.ts'
import type { AppContext } from '../ui/app-context.ts'

type Contact = Pick<Identity, 'name' | 'phone' | 'email'>

export type Forms = ReturnType<typeof createForms>

/** Shared verbs of the forms. */
export function createForms({ host, chat, ui }: AppContext) {
  const { storage, api, tenant, identity } = host
  const isKnown = signal(false)
  /** Contact details that the visitor of a token entered on this page, for the next form. */
  let entered: { token: string | undefined; contact: Contact } | undefined
  return {
    /** Whether the visitor has left contact details on this page. */
    isKnown,

    /** The visitor's contact details: from an earlier form of this page, else from the page. */
    contact(): Contact {
      const isSame = entered?.token === storage.get('token')
      return { ...identity, ...(isSame ? entered?.contact : {}) }
    },

    remember(given: Contact): void {
      const contact = Object.fromEntries(Object.entries(given).filter(([, value]) => value))
      entered = { token: storage.get('token'), contact: { ...this.contact(), ...contact } }
    },

    /** The conversation that a form belongs to; begun where there was no message yet. @throws Refusal */
    async openSession(): Promise<string> {
      // The first message begins a conversation, and its answer names it.
      if (!storage.get('session')) await chat.run()
      const known = storage.get('session')
      if (known) return known
      const response = await api.post('chatbot/sessions', {
        tenant_id: tenant,
        locale: ui.strings.tag,
      })
      const session: Session = await response.json()
      storage.set('session', session.session_id)
      return session.session_id
    },

    /** Closes the form with a line that confirms it. */
    thank(id: string, text: string): void {
      batch(() => {
        chat.openForm(undefined)
        if (chat.sendError.peek() === 'unpaid') chat.sendError.value = undefined
        chat.add({ id, role: 'thanks', text, citations: [], at: Date.now() })
      })
      ui.announce(text)
      ui.focusInput()
    },

    /**
     * Scrolls to a form that has just come, or to its reason where the server proposed it. The form
     * takes the focus when the visitor asked for it.
     */
    arrive(field: HTMLElement | null): void {
      const root = field?.getRootNode()
      const form = field?.closest('form')
      if (!field || !form || !(root instanceof ShadowRoot)) return
      // The button that asked for the form has gone and left the focus nowhere; the menu's is there.
      const isAsked = root.activeElement?.matches('.more') ?? true
      if (isAsked) {
        field.focus({ preventScroll: true })
        form.scrollIntoView()
      } else {
        // The reason is drawn after the form.
        requestAnimationFrame(() =>
          (form.parentElement?.querySelector(':scope > [role=alert]') ?? form).scrollIntoView(),
        )
      }
    },
  }
}
