/** The name of the button that puts an invitation away. */
export const dismissWords: Record<string, string> = {
  tr: 'Daveti kapat',
  en: 'Dismiss invitation',
  de: 'Einladung schließen',
  ar: 'إغلاق الدعوة',
}
