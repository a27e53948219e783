import { expect } from 'vitest'
import type { Document } from '../../server/knowledge/schema.ts'
import type { Answer, HttpProduct, TestProduct, TestWorkspace } from './product.ts'

/** Uploads a file in a multipart form, as a browser does. */
export async function upload(
  product: TestProduct,
  workspace: TestWorkspace,
  file: { name: string; bytes: Uint8Array<ArrayBuffer> | string; type?: string },
  fields: Record<string, string> = {},
): Promise<Answer<Document & { code?: string; errors?: { path: string; message: string }[] }>> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([file.bytes], { type: file.type ?? '' }), file.name)
  const response = await fetch(`${product.url}/api/v1/tenants/${workspace.tenantId}/knowledge`, {
    method: 'POST',
    headers: { authorization: `Bearer ${workspace.token}` },
    body: form,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

/** Returns the document as the API shows it. */
export async function showDocument(
  product: TestProduct,
  workspace: TestWorkspace,
  docId: string,
): Promise<Document & { content: string }> {
  const { body } = await product.call<Document & { content: string }>(
    `/api/v1/tenants/${workspace.tenantId}/knowledge/${docId}`,
    { token: workspace.token },
  )
  return body
}

/** Waits until a document is `ready` or `failed`. */
export async function readDocument(
  product: TestProduct,
  workspace: TestWorkspace,
  docId: string,
): Promise<Document & { content: string }> {
  await expect
    .poll(async () => (await showDocument(product, workspace, docId)).state)
    .toMatch(/^(?:ready|failed)$/)
  return showDocument(product, workspace, docId)
}

/** Returns the hits of a search, best first. */
export async function searchFor(
  product: TestProduct,
  workspace: TestWorkspace,
  question: string,
): Promise<{ doc_id: string; title: string; url: string | null; heading: string; text: string }[]> {
  const { body } = await product.call<{ data: Awaited<ReturnType<typeof searchFor>> }>(
    `/api/v1/tenants/${workspace.tenantId}/search?q=${encodeURIComponent(question)}`,
    { token: workspace.token },
  )
  return body.data
}

/** Asks a question without an answer; returns the id of the unanswered question. */
export async function leaveUnanswered(
  product: HttpProduct,
  { tenantId, token }: TestWorkspace,
  visitor: string,
): Promise<string> {
  await product.call('/api/v1/chatbot/message', {
    token: visitor,
    body: { tenant_id: tenantId, message: 'Which spaceship flies to Neptune?' },
  })
  const { body } = await product.call<{ data: { question_id: string }[] }>(
    `/api/v1/tenants/${tenantId}/unanswered`,
    { token },
  )
  return body.data[0]?.question_id ?? ''
}
