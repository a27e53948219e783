import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { CalendarFeed as Feed } from '../../../server/appointments/schema.ts'
import type { Tenant } from '../../../server/tenants/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/appointments.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { CopyBox, Loaded } from '../../ui/page.tsx'

/** The address with which calendar apps follow the site's appointments. */
export function CalendarFeed({
  tenant,
  words,
  onClose,
}: {
  tenant: Tenant
  words: Words
  onClose: () => void
}): VNode {
  const { api, session, toasts } = useApp()
  const isResetting = useSignal(false)
  const path = `tenants/${encodeURIComponent(tenant.tenant_id)}/calendar-feed`
  const feed = useResource<Feed>(path, (signal) => api.get(path, {}, signal))
  const { feed: text } = words
  const mayReset = session.me.value?.user.role !== 'operator'

  async function reset(): Promise<void> {
    feed.set(await api.post<Feed>(path))
    toasts.done(text.done)
  }

  return (
    <Dialog title={text.title} onClose={onClose}>
      <div class="stack">
        <p>{text.lead}</p>
        <Loaded of={feed} lines={2}>
          {({ url }) => <CopyBox text={absolute(url)} label={text.address} />}
        </Loaded>
        <p class="soft small">{text.secret}</p>
        <div class="row">
          {mayReset && <Button onPress={() => (isResetting.value = true)}>{text.reset}</Button>}
          <Button
            icon="download"
            href={`/api/v1/appointments.ics?tenant_id=${encodeURIComponent(tenant.tenant_id)}&state=booked`}
            download="appointments.ics"
          >
            {words.calendarFile}
          </Button>
        </div>
      </div>
      {isResetting.value && (
        <Confirm
          title={text.resetTitle}
          action={text.reset}
          onConfirm={reset}
          onClose={() => (isResetting.value = false)}
        >
          <p>{text.resetText}</p>
        </Confirm>
      )}
    </Dialog>
  )
}

/** An installation without `PUBLIC_URL` knows the path alone. */
function absolute(url: string): string {
  return new URL(url, location.origin).href
}
