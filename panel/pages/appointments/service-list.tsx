import type { Signal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Service } from '../../../server/tenants/schema.ts'
import type { Words } from '../../locales/en/appointments.ts'
import { Button } from '../../ui/button.tsx'

const MAX_SERVICES = 30
const DEFAULT_MINUTES = 30

/** The bookable services, each with its length. */
export function ServiceList({
  services,
  words,
  errorOf,
}: {
  services: Signal<Service[]>
  words: Words
  errorOf: (path: string) => string | undefined
}): VNode {
  function change(at: number, changed: Partial<Service>): void {
    services.value = services.value.map((each, index) =>
      index === at ? { ...each, ...changed } : each,
    )
  }
  return (
    <fieldset class="service-list">
      <legend>{words.hours.services}</legend>
      <p class="soft small">{words.hours.servicesHint}</p>
      {services.value.map((service, at) => {
        const path = `/forms/appointment/services/${at}`
        const error = errorOf(`${path}/name`) ?? errorOf(`${path}/minutes`)
        return (
          // oxlint-disable-next-line react/no-array-index-key -- services have no other identity
          <div key={at} class="service-row">
            <input
              class="input"
              aria-label={words.hours.serviceName}
              placeholder={words.hours.serviceName}
              maxLength={80}
              value={service.name}
              aria-invalid={error !== undefined}
              onInput={(event) => change(at, { name: event.currentTarget.value })}
            />
            <input
              class="input"
              type="number"
              min={5}
              max={480}
              aria-label={words.hours.minutes}
              value={service.minutes}
              onInput={(event) => change(at, { minutes: Number(event.currentTarget.value) })}
            />
            <Button
              kind="plain"
              icon="trash"
              label={words.hours.remove(service.name || words.hours.serviceName)}
              onPress={() => (services.value = services.value.toSpliced(at, 1))}
            />
            {error && <span class="field error">{error}</span>}
          </div>
        )
      })}
      {services.value.length < MAX_SERVICES && (
        <div>
          <Button
            small
            icon="plus"
            onPress={() =>
              (services.value = [...services.value, { name: '', minutes: DEFAULT_MINUTES }])
            }
          >
            {words.hours.addService}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
