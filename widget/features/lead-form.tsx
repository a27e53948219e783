import { signal } from '../runtime/signals.ts'
import { Fragment, type VNode } from 'preact'
import { Refusal } from '../chat/api.ts'
import type { ContactStrings, LazyStrings } from '../locales/strings.lazy.ts'
import { newId } from '../chat/new-id.ts'
import type { Continuity } from '../session/continuity.tsx'
import type { AppContext } from '../ui/app-context.ts'

const FIELDS = ['name', 'phone', 'email', 'interest', 'consent', 'code'] as const
type Field = (typeof FIELDS)[number]
/** The parts of a contact, with the attributes of their inputs. */
const PARTS = {
  name: { autocomplete: 'name', maxLength: 200 },
  phone: { type: 'tel', autocomplete: 'tel', maxLength: 40 },
  email: { type: 'email', autocomplete: 'email', maxLength: 254 },
} as const
type Part = keyof typeof PARTS
const ALL_PARTS = ['name', 'phone', 'email'] as const
type Errors = Partial<Record<Field | 'form', string>>

/** The field that an error of the API is about: `/phone` is `phone`. */
function fieldAt(path: string): Field | undefined {
  return FIELDS.find((field) => path === `/${field}`)
}

function check(
  lead: Record<Field, string>,
  { parts, hasConsent }: { parts: readonly Part[]; hasConsent: boolean },
  strings: ContactStrings,
): Errors {
  const errors: Errors = {}
  for (const part of parts) if (lead[part] === '') errors[part] = strings.required
  if (lead.phone && lead.phone.replace(/\D/g, '').length < 7) errors.phone = strings.badPhone
  if (lead.email && !/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(lead.email))
    errors.email = strings.badEmail
  if (hasConsent && lead.consent === '') errors.consent = strings.consentNeeded
  return errors
}

/** The API's refusal in the visitor's language: its own sentences are for developers. */
function explain(refusal: unknown, strings: ContactStrings): Errors {
  if (!(refusal instanceof Refusal)) return { form: strings.failed }
  if (refusal.status === 0) return { form: strings.offline }
  if (refusal.status === 429) return { form: strings.wait(refusal.retryAfter ?? 60) }
  const said: Record<Field, string> = {
    name: strings.badName,
    phone: strings.badPhone,
    email: strings.badEmail,
    interest: strings.badInterest,
    consent: strings.consentNeeded,
    code: strings.badCode,
  }
  const errors: Errors = {}
  for (const { path } of refusal.problem.errors ?? []) {
    const field = fieldAt(path)
    if (field) errors[field] = said[field]
  }
  return Object.keys(errors).length > 0 ? errors : { form: strings.failed }
}

/** The contact form, with the fields that the site asks for. */
export function start(
  { host, chat, ui }: AppContext,
  { contact: strings }: LazyStrings,
  { forms, policyLink }: Continuity,
): void {
  const { api, config } = host
  const { consent_text: own = '', required = ALL_PARTS } = config?.forms.lead ?? {}
  const parts = ALL_PARTS.filter((part) => required.includes(part))
  const consent = own || (config?.privacy.consent_required ? strings.consent : '')
  /** The address that a code was sent to; empty while none is asked for. */
  const coded = signal('')
  const errors = signal<Errors>({})
  const isSending = signal(false)
  // One id for one set of details: a second try of them is not a second lead.
  let sent = { id: '', details: '' }

  function show(form: HTMLFormElement, found: Errors): void {
    errors.value = found
    const first = FIELDS.find((field) => found[field])
    if (first) form.querySelector<HTMLElement>(`#${first}`)?.focus()
  }

  async function submit(form: HTMLFormElement): Promise<void> {
    if (isSending.peek()) return
    const data = new FormData(form)
    const read = (field: Field): string => {
      const value = data.get(field)
      return typeof value === 'string' ? value.trim() : ''
    }
    const given = {
      name: read('name'),
      phone: read('phone'),
      email: read('email'),
      interest: read('interest'),
      consent: read('consent'),
      code: read('code'),
    }
    const wrong = check(given, { parts, hasConsent: consent !== '' }, strings)
    show(form, wrong)
    if (Object.keys(wrong).length > 0) return
    const details = JSON.stringify(given)
    if (sent.details !== details) sent = { id: newId(), details }
    const { name, phone, email, interest, code } = given
    isSending.value = true
    try {
      const response = await api.post(
        `chatbot/sessions/${await forms.openSession()}/lead`,
        {
          ...(name === '' ? {} : { name }),
          ...(phone === '' ? {} : { phone }),
          ...(email === '' ? {} : { email }),
          ...(interest === '' ? {} : { interest }),
          ...(consent === '' ? {} : { consent: true }),
          ...(code === '' ? {} : { code }),
        },
        sent.id,
      )
      // The address is to be proved first, by a code that was mailed to it.
      if (response.status === 202) {
        coded.value = email
        return ui.announce(strings.codeSent(email))
      }
      forms.isKnown.value = true
      forms.remember({ name, phone, email })
      forms.thank(sent.id, strings.thanks(name))
    } catch (refusal) {
      show(form, explain(refusal, strings))
    } finally {
      isSending.value = false
    }
  }

  function cancel(): void {
    errors.value = {}
    chat.openForm(undefined)
    ui.focusInput()
  }

  // Always the same function: a new one would take the focus with every drawing.
  const take = (field: HTMLElement | null): void => field?.focus()
  const about = (field: Field) => ({
    name: field,
    id: field,
    'aria-invalid': errors.value[field] !== undefined,
    'aria-describedby': `${field}-error`,
  })
  const error = (field: Field): VNode => (
    <p class="wrong" id={`${field}-error`}>
      {errors.value[field]}
    </p>
  )

  const draw = (): VNode => (
    <form
      class="form"
      noValidate
      key="lead"
      aria-labelledby="contact"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(event.currentTarget)
      }}
    >
      <h3 id="contact">{strings.title}</h3>
      <p>{strings.intro}</p>
      {parts.map((part, index) => (
        <Fragment key={part}>
          <label for={part}>{strings[part]}</label>
          <input
            {...about(part)}
            {...PARTS[part]}
            ref={index === 0 ? forms.arrive : null}
            required
            defaultValue={forms.contact()[part] ?? ''}
          />
          {error(part)}
        </Fragment>
      ))}
      <label for="interest">{strings.interest}</label>
      <textarea {...about('interest')} rows={2} maxLength={500} />
      {error('interest')}
      {consent && (
        <label class="consent">
          <input {...about('consent')} type="checkbox" value="yes" required />
          <span>{consent}</span>
        </label>
      )}
      {error('consent')}
      {policyLink()}
      {coded.value && (
        <>
          <label for="code">{strings.codeSent(coded.value)}</label>
          <input
            {...about('code')}
            ref={take}
            inputmode="numeric"
            autocomplete="one-time-code"
            maxLength={6}
          />
          {error('code')}
        </>
      )}
      {errors.value.form && (
        <p class="wrong" role="alert">
          {errors.value.form}
        </p>
      )}
      <div class="actions">
        <button type="button" class="cancel" onClick={cancel}>
          {strings.cancel}
        </button>
        <button class="submit" aria-disabled={isSending.value}>
          {isSending.value ? strings.submitting : strings.submit}
        </button>
      </div>
    </form>
  )
  ui.addAfter(() => chat.form.value === 'lead' && draw())
}
