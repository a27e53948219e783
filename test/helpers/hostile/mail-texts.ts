/** What a person may type as a name or a service, and what must not reach a mail as it is. */
export const HOSTILE_NAMES: readonly string[] = [
  'Ayşe\n\nYour account is locked.\nSign in at once',
  'Ayşe\r\nBcc: everybody@evil.example',
  'Ayşe\u2028second\u0085third\u000bfourth',
  'https://evil.example/login',
  'www.evil.example',
  'evil．example',
  '<a href="//evil.example">Ayşe</a>',
  'mail me@evil.example',
  'a\u200bb\u202ec',
  'x'.repeat(200),
]
/** What mail programs turn into a link. */
export const PRESSABLE = /[^\s.]\.[^\s.]|\/\/|@|www\.\w/
