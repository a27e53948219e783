export const LANGUAGES = [
  { id: 'node', name: 'Node' },
  { id: 'php', name: 'PHP' },
  { id: 'python', name: 'Python' },
] as const
export type SnippetLanguage = (typeof LANGUAGES)[number]['id']

const node = `import { createHmac, timingSafeEqual } from 'node:crypto'

// body: the raw bytes of the request, before they are parsed
export function isFromSohbet(headers, body, secret) {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = 'none' } = headers
  const hmac = createHmac('sha256', secret).update(\`\${id}.\${timestamp}.\`).update(body)
  const expected = Buffer.from(\`v1,\${hmac.digest('base64')}\`)
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 5 * 60
  return isFresh && (headers['webhook-signature'] ?? '').split(' ').some((given) => {
    const bytes = Buffer.from(given)
    return bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
}`

const php = `<?php
// $body: file_get_contents('php://input'), before it is parsed
function is_from_sohbet(string $body, string $secret): bool
{
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $signed = ($_SERVER['HTTP_WEBHOOK_ID'] ?? '') . '.' . $timestamp . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $secret, true));
    $is_fresh = ctype_digit($timestamp) && abs(time() - (int) $timestamp) <= 5 * 60;
    $is_ours = false;
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        $is_ours = hash_equals($expected, $given) || $is_ours;
    }
    return $is_fresh && $is_ours;
}`

const python = `import base64, hashlib, hmac, time

# body: the raw bytes of the request, before they are parsed
def is_from_sohbet(headers, body: bytes, secret: str) -> bool:
    id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    signed = f"{id}.{timestamp}.".encode() + body
    digest = hmac.new(secret.encode(), signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    is_fresh = timestamp.isdecimal() and abs(time.time() - int(timestamp)) <= 5 * 60
    given = headers.get("webhook-signature", "").split(" ")
    return is_fresh and any(hmac.compare_digest(one.encode(), expected.encode()) for one in given)`

/** Receivers' checks of the Standard Webhooks headers, which both families send. */
export const SNIPPETS: Record<SnippetLanguage, string> = { node, php, python }
