import type { TenantRow } from '../tenants/tenants.ts'
import { escaped } from '../lib/text/markup.ts'
import { appointmentLanguage, appointmentStrings, formatWhen } from './emails.ts'
import type { Slots } from './schema.ts'
import type { AppointmentRow } from './store.ts'

const MAX_SHOWN = 40

/** The page's style sheet; the content security policy allows it by its digest. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 34rem; margin: 0 auto; padding: 2rem 1rem }
h1 { font-size: 1.4rem }
fieldset { border: 1px solid GrayText; border-radius: .5rem; margin: 1.5rem 0; padding: 1rem }
label { display: flex; gap: .6rem; align-items: center; min-height: 2rem }
button { font: inherit; padding: .6rem 1rem; border-radius: .5rem; border: 1px solid; cursor: pointer }
[role=status] { padding: .6rem 1rem; border-inline-start: .25rem solid }
`

/** The result of the last form, shown as a status. */
export type PageOutcome = 'done' | 'taken' | 'tooLate' | undefined

/** Renders the page of the link in the mail: the appointment and the forms that change it. No scripts. */
export function appointmentPage(
  { tenant, row, slots }: { tenant: TenantRow; row: AppointmentRow; slots: Slots['data'] },
  outcome: PageOutcome,
): string {
  const { page: strings, appointment, language } = appointmentStrings(row.locale)
  const when = formatWhen(row.start_at, row.locale, tenant.time_zone)
  const isBooked = row.state === 'booked'
  const choices = slots.slice(0, MAX_SHOWN).map(({ start }) => {
    const label = formatWhen(Date.parse(start), row.locale, tenant.time_zone)
    return `<label><input type="radio" name="start" value="${escaped(start)}" required> ${escaped(label)}</label>`
  })
  const move =
    choices.length === 0
      ? `<p>${escaped(strings.none)}</p>`
      : `<form method="post"><fieldset><legend>${escaped(strings.move)}</legend>${choices.join('')}
<button>${escaped(strings.moveButton)}</button></fieldset></form>`
  const cancel = `<form method="post"><input type="hidden" name="cancel" value="yes">
<button>${escaped(strings.cancel)}</button></form>`
  return `<!doctype html>
<html lang="${escaped(appointmentLanguage(row.locale))}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escaped(`${strings.title} · ${tenant.name}`)}</title>
<style>${PAGE_STYLE}</style>
<main><h1>${escaped(tenant.name)}</h1>
${outcome ? `<p role="status">${escaped(strings[outcome])}</p>` : ''}
<p><strong>${escaped(when)}</strong><br>${escaped(row.service ?? appointment)}<br>${escaped(row.name)}</p>
${isBooked ? move + cancel : `<p>${escaped(strings.isCancelled)}</p>`}
</main></html>
`
}
