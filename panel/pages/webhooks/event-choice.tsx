import type { Signal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Words } from '../../locales/en/webhooks.ts'

/** Boxes for the events that an endpoint waits for. */
export function EventChoice({
  names,
  chosen,
  words,
  error,
}: {
  /** The description of each event, by its name. */
  names: Readonly<Record<string, string>>
  chosen: Signal<readonly string[]>
  words: Words
  error: string | undefined
}): VNode {
  return (
    <fieldset>
      <legend>{words.events}</legend>
      <div class="events">
        {Object.entries(names).map(([event, meaning]) => (
          <label key={event} class="check">
            <input
              type="checkbox"
              checked={chosen.value.includes(event)}
              onChange={(change) => {
                chosen.value = change.currentTarget.checked
                  ? [...chosen.value, event]
                  : chosen.value.filter((each) => each !== event)
              }}
            />
            <span>
              {meaning}
              <code>{event}</code>
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p class="form-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
