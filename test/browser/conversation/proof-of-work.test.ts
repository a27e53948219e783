import { expect, strictPolicy, test } from '../fixtures.ts'

test('does the work that a site asks of newcomers, and nobody notices', async ({
  page,
  product,
  widget,
  faults,
}) => {
  await product.ask('/api/v1/tenants/demo', { abuse: { proof_of_work: 'always' } }, 'PATCH')
  try {
    const proofs: unknown[] = []
    page.on('request', (request) => {
      if (!request.url().endsWith('/auth/visitor') || request.method() !== 'POST') return
      const { proof }: { proof?: { nonce: string } } = request.postDataJSON()
      proofs.push(proof?.nonce)
    })
    await widget.visit(strictPolicy(product))
    await widget.ask('Kargo ücreti ne kadar?')
    await expect(widget.answers).toContainText('79 TL')
    expect(proofs).toEqual([undefined, expect.stringMatching(/^[0-9a-z]+$/)])
    expect(faults.filter((fault) => !fault.includes('403'))).toEqual([])
  } finally {
    await product.ask('/api/v1/tenants/demo', { abuse: {} }, 'PATCH')
  }
})

test('takes contact details only with the consent that a site needs, and says so', async ({
  product,
  widget,
}) => {
  const text = 'KVKK aydınlatma metnini okudum, bilgilerimin saklanmasını kabul ediyorum.'
  const forms = { lead: { consent_text: text } }
  await product.ask('/api/v1/tenants/demo', { forms, privacy: { consent_required: true } }, 'PATCH')
  try {
    await widget.visit(strictPolicy(product))
    await widget.menu('İletişim bilgisi bırak')
    const form = widget.panel.getByRole('form', { name: 'İletişim bilgileriniz' })
    await expect(form.getByLabel('Adınız soyadınız')).toBeFocused()
    await form.getByLabel('Adınız soyadınız').fill('Ayşe Yılmaz')
    await form.getByLabel('Telefon').fill('0532 123 45 67')
    await form.getByLabel('E-posta').fill('consent@example.com')
    const box = form.getByRole('checkbox', { name: text })
    await expect(box).toHaveAttribute('required')
    await form.getByRole('button', { name: 'Gönder' }).click()
    await expect(box).toBeFocused()
    await expect(box).toHaveAttribute('aria-invalid', 'true')
    await expect(box).toHaveAccessibleDescription('Onayınız olmadan size geri dönemeyiz.')
    await box.check()
    await form.getByRole('button', { name: 'Gönder' }).click()
    await expect(widget.panel.getByText('Teşekkürler, Ayşe Yılmaz!').first()).toBeVisible()
    const leads = await product.ask<{ data: { email: string; consent: { text: string } }[] }>(
      '/api/v1/leads',
    )
    expect(leads.data[0]).toMatchObject({ email: 'consent@example.com', consent: { text } })
  } finally {
    await product.ask('/api/v1/tenants/demo', { forms: {}, privacy: {} }, 'PATCH')
  }
})
