import type { ActionStrings } from './en.ts'

/** German sentences of actions. */
export const de: ActionStrings = {
  ask: (label) => `Bitte geben Sie an: ${label}.`,
  askAgain: 'Das sieht nicht nach einer gültigen Angabe aus.',
  confirm: (name) => `Soll ich das ausführen? ${name}`,
  confirmEnd: 'Bitte antworten Sie mit „ja“ oder „nein“.',
  yes: 'Ja',
  no: 'Nein',
  cancel: 'Abbrechen',
  cancelled: 'In Ordnung, ich habe nichts ausgeführt.',
  notFound: 'Zu diesen Angaben habe ich nichts gefunden. Bitte prüfen Sie sie.',
  failed: 'Unser System hat mir gerade nicht geantwortet. Es wurde nichts geändert.',
  unknown: 'Ich kann nicht sagen, ob das ausgeführt wurde, und habe es nicht noch einmal versucht.',
  refused: 'Unser System hat das nicht angenommen. Es wurde nichts geändert.',
  verify:
    'Dafür muss ich wissen, wer Sie sind. Bitte melden Sie sich auf der Website an und fragen Sie noch einmal.',
  busy: 'Das waren viele Anfragen in kurzer Zeit. Bitte versuchen Sie es in einer Minute noch einmal.',
}
