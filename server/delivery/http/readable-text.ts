/**
 * What a receiver answered, as text that can be stored and shown anywhere: invalid UTF-8, control
 * characters and direction marks become U+FFFD (Postgres takes no NUL), and angle brackets become
 * single guillemets, so that no page can mistake it for markup.
 */
export function sanitizePreview(bytes: Buffer): string {
  return new TextDecoder('utf-8')
    .decode(bytes)
    .replaceAll(/[^\P{Cc}\t\n\r]|\p{Bidi_Control}/gu, '\uFFFD')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
}
