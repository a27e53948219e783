/** English strings of the webhook inspector's page. */
export const en = {
  title: 'Webhook receiver',
  explanation:
    'What is sent to an address under this one is shown here: headers, body, and for each signature whether it fits. Aim a subscription or a rule at:',
  addresses:
    'Any name will do in place of “crm”. With ?status=500 the receiver answers that status, so that you can watch the retries.',
  memory:
    'The last 50 requests are kept in memory until the process ends. In production this page does not exist.',
  isReachable: 'Webhooks can reach this address: private targets are allowed.',
  isNotReachable:
    'Webhooks cannot reach this address yet. Start the product with ALLOW_PRIVATE_TARGETS=true.',
  none: 'Nothing has arrived yet.',
  received: (count: number) => (count === 1 ? '1 request' : `${count} requests`),
  refresh: 'Refresh',
  follow: 'Refresh automatically',
  unfollow: 'Stop refreshing',
  clear: 'Clear',
  answered: (status: number) => `answered ${status}`,
  attempt: (count: number) => `attempt ${count}`,
  summary: {
    good: 'Signed correctly',
    stale: 'Too old',
    wrong: 'Wrong signature',
    unsigned: 'Not signed',
  },
  signatures: 'Signatures',
  bodySignature: '“signature” in the body',
  fits: 'fits the secret of',
  isStale: 'fits the secret of, but its timestamp is more than five minutes away:',
  isWrong: 'fits no secret of a subscription or rule that is aimed at this page',
  isMissing: 'There is none.',
  headers: 'Headers',
  body: 'Body',
  rawBody: 'As it arrived, byte for byte',
  emptyBody: 'The body is empty.',
}

export type WebhookInspectorStrings = typeof en
