import type { AnswerStrings } from './en.ts'

/** German sentences of the built-in answerer. */
export const de: AnswerStrings = {
  hello: 'Hallo! Wie kann ich Ihnen helfen?',
  howAreYou: 'Danke, gut! Wie kann ich Ihnen helfen?',
  thanks: 'Gern geschehen! Kann ich Ihnen noch bei etwas anderem helfen?',
  bye: 'Vielen Dank und einen schönen Tag! Bei weiteren Fragen bin ich hier.',
  ok: 'In Ordnung. Bei weiteren Fragen bin ich hier.',
  yes: 'Gerne. Was möchten Sie wissen?',
  no: 'In Ordnung. Wenn Sie noch etwas brauchen, bin ich hier.',
  wait: 'Lassen Sie sich Zeit, ich bin hier.',
  sorry: 'Kein Problem. Wie kann ich Ihnen helfen?',
  laugh: '😊 Wie kann ich Ihnen helfen?',
  praise: 'Vielen Dank, das freut uns! Kann ich Ihnen noch bei etwas anderem helfen?',
  insult:
    'Es tut mir leid, dass Sie verärgert sind. Schreiben Sie mir, worum es geht, dann helfe ich, so gut ich kann.',
  bot: (site) =>
    `Ich bin der digitale Assistent von ${site} und kein Mensch. Ich antworte aus unseren Unterlagen und kann Sie an unser Team weitergeben.`,
  help: 'Ich beantworte Fragen zu unseren Produkten, Leistungen, Preisen und Öffnungszeiten. Was möchten Sie wissen?',
  complaint: 'Das tut uns sehr leid.',
  expensive: 'Ich verstehe, dass Ihnen unsere Preise hoch erscheinen.',
  complaintHelp: 'Schreiben Sie mir bitte kurz, was passiert ist, damit ich helfen kann.',
  offerPerson: 'Soll ich das an unser Team weitergeben?',
  offerForm: 'Wenn Sie Ihre Kontaktdaten hinterlassen, meldet sich unser Team bei Ihnen.',
  takenByForm: 'Gerne. Bitte hinterlassen Sie Ihre Kontaktdaten, unser Team meldet sich bei Ihnen.',
  unknown: 'Dazu habe ich leider keine Informationen.',
  unsure: 'Ich bin nicht sicher, aber vielleicht hilft Ihnen das:',
  unclear: 'Dazu habe ich keine eindeutige Antwort gefunden.',
  nearest: 'Am ehesten passt dazu:',
  selfHarm:
    'Es tut mir sehr leid, dass es Ihnen so geht. Sie müssen da nicht allein durch: Bitte rufen Sie jetzt die 112 oder die Telefonseelsorge an, oder sprechen Sie mit jemandem in Ihrer Nähe.',
  emergency:
    'Wenn jemand in Gefahr ist, rufen Sie bitte sofort die 112 an. Ich kann nur Fragen zu dieser Website beantworten.',
  topics: 'Vielleicht meinen Sie eines dieser Themen.',
  appointment: 'Gerne! Bitte wählen Sie einen passenden Tag und eine Uhrzeit.',
  noAppointment: 'Termine können hier nicht online gebucht werden.',
  order: 'Ich kann Ihre Bestellung nicht selbst nachsehen, unser Team aber schon.',
  changeOrder:
    'Ich kann eine Bestellung nicht selbst stornieren oder ändern, aber unser Team kann es.',
  welcomeName: (name) => `Freut mich, ${name}. Wie kann ich Ihnen helfen?`,
  thanksName: (name) => (name === '' ? 'Vielen Dank.' : `Vielen Dank, ${name}.`),
  willCall: (number) => `Wir rufen Sie unter ${number} an.`,
  willWrite: (address) => `Wir schreiben Ihnen an ${address}.`,
  needsForm: 'Bitte senden Sie Ihre Daten mit dem Formular, damit wir Sie erreichen können.',
  yesPrefix: 'Ja.',
  noPrefix: 'Nein.',
  foreign: {
    tr: 'Diese Auskunft haben wir auf Türkisch:',
    en: 'Diese Auskunft haben wir auf Englisch:',
    de: 'Diese Auskunft haben wir auf Deutsch:',
    ar: 'Diese Auskunft haben wir auf Arabisch:',
  },
  confidential: 'Das kann ich nicht weitergeben. Bei anderen Fragen helfe ich gerne.',
  noted: 'Vielen Dank, wir haben es notiert.',
}
