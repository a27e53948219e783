import type { Signal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/actions.ts'
import { AreaText } from './area-text.tsx'
import { Button } from '../../ui/button.tsx'
import { Form, type FormState } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { PlainArea, PlainCheck, PlainField, PlainSelect } from '../../ui/plain-field.tsx'
import { METHODS, type Draft } from './draft.ts'
import { emptyRow, namesIn } from './input-rows.ts'
import { InputsEditor, type FormPart } from './inputs-editor.tsx'
import { PairRows } from './pair-rows.tsx'

/** The definition of an action, in the order of a conversation: when, asked for what, where, said how. */
export function ActionForm({
  draft,
  form,
  words,
  action,
  send,
  extra,
}: {
  draft: Signal<Draft>
  form: FormState
  words: Words
  action: string
  send: () => Promise<unknown>
  extra?: ComponentChildren
}): VNode {
  const { value } = draft
  const change = (patch: Partial<Draft>): void => {
    draft.value = { ...draft.peek(), ...patch }
  }
  const parts = { value, change, form, words }
  return (
    <Form form={form} send={send} action={action} extra={extra}>
      <When {...parts} />
      <Card title={words.inputs.title}>
        <InputsEditor {...parts} />
      </Card>
      <Where {...parts} />
      <Said {...parts} />
      <Card title={words.safety.title}>
        <div class="stack">
          <PlainCheck
            label={words.safety.verified}
            hint={words.safety.verifiedHint}
            value={value.onlyVerified}
            onPick={(onlyVerified) => change({ onlyVerified })}
          />
          {value.method === 'GET' ? (
            <PlainCheck
              label={words.safety.confirm}
              hint={words.safety.confirmHint}
              value={value.confirms}
              onPick={(confirms) => change({ confirms })}
            />
          ) : (
            <p class="soft small">{words.safety.alwaysConfirmed(value.method)}</p>
          )}
        </div>
      </Card>
    </Form>
  )
}

function When({ value, change, form, words }: FormPart): VNode {
  return (
    <Card title={words.when.title}>
      <div class="stack">
        <PlainField
          label={words.name}
          hint={words.when.nameHint}
          value={value.name}
          error={form.errorOf('/name')}
          onInput={(name) => change({ name })}
        />
        <PlainArea
          label={words.when.when}
          hint={words.when.whenHint}
          value={value.when}
          error={form.errorOf('/when')}
          onInput={(when) => change({ when })}
        />
        <AreaText
          label={words.when.triggers}
          hint={words.when.triggersHint}
          value={value.triggers}
          words={words}
          error={form.errorUnder('/triggers')}
          onInput={(triggers) => change({ triggers })}
        />
      </div>
    </Card>
  )
}

function Where({ value, change, form, words }: FormPart): VNode {
  const { words: common } = useApp()
  const known = new Set(value.inputs.map(({ name }) => name))
  const missing = new Set(namesIn(value.url).filter((name) => !known.has(name)))
  return (
    <Card title={words.where.title}>
      <div class="stack">
        <div class="action-address">
          <PlainSelect
            label={words.where.method}
            value={value.method}
            options={METHODS.map((method) => ({ value: method, label: method }))}
            onPick={(picked) =>
              change({ method: METHODS.find((method) => method === picked) ?? 'GET' })
            }
          />
          <PlainField
            label={words.address}
            hint={words.where.urlHint}
            type="url"
            placeholder="https://shop.example/api/orders/{order_id}"
            value={value.url}
            error={form.errorOf('/url')}
            onInput={(url) => change({ url })}
          />
        </div>
        {missing.size > 0 && (
          <div class="row">
            {[...missing].map((name) => (
              <Button
                key={name}
                small
                icon="plus"
                onPress={() => change({ inputs: [...value.inputs, { ...emptyRow(), name }] })}
              >
                {words.where.addInput(name)}
              </Button>
            ))}
          </div>
        )}
        <PairRows
          title={words.where.headers}
          hint={words.where.headersHint}
          add={words.where.addHeader}
          labels={[words.where.headerName, words.where.headerValue]}
          rows={value.headers.map((row) => ({
            first: row.name,
            second: row.value,
            isFixed: row.isStored,
            placeholder: row.isStored ? words.where.headerKept : '',
            error: form.errorUnder(`/headers/${row.name}`),
          }))}
          isSecret
          remove={words.removeRow}
          onChange={(at, first, second) =>
            change({
              headers: value.headers.map((row, index) =>
                index === at ? { ...row, name: first, value: second } : row,
              ),
            })
          }
          onAdd={() =>
            change({ headers: [...value.headers, { name: '', value: '', isStored: false }] })
          }
          onRemove={(at) => change({ headers: value.headers.toSpliced(at, 1) })}
        />
        {value.method !== 'GET' && (
          <PlainArea
            label={`${words.where.body} (${common.value.optional})`}
            hint={words.where.bodyHint}
            value={value.body}
            error={form.errorUnder('/body')}
            onInput={(body) => change({ body })}
          />
        )}
      </div>
    </Card>
  )
}

function Said({ value, change, form, words }: FormPart): VNode {
  const { words: common } = useApp()
  return (
    <Card title={words.said.title}>
      <div class="stack">
        <PairRows
          title={words.said.fields}
          hint={words.said.fieldsHint}
          add={words.said.addField}
          labels={[words.said.fieldName, words.said.fieldPlace]}
          rows={value.fields.map(({ name, place }) => ({
            first: name,
            second: place,
            placeholder: '/order/status',
            error: name === '' ? undefined : form.errorUnder(`/answer/fields/${name}`),
          }))}
          remove={words.removeRow}
          onChange={(at, name, place) =>
            change({
              fields: value.fields.map((row, index) => (index === at ? { name, place } : row)),
            })
          }
          onAdd={() => change({ fields: [...value.fields, { name: '', place: '' }] })}
          onRemove={(at) => change({ fields: value.fields.toSpliced(at, 1) })}
        />
        <AreaText
          label={words.said.say}
          hint={words.said.sayHint}
          placeholder={words.said.sayExample}
          value={value.say}
          words={words}
          error={form.errorUnder('/answer/say')}
          onInput={(say) => change({ say })}
        />
        <AreaText
          label={`${words.said.notFound} (${common.value.optional})`}
          hint={words.said.notFoundHint}
          value={value.notFound}
          words={words}
          error={form.errorUnder('/answer/not_found')}
          onInput={(notFound) => change({ notFound })}
        />
      </div>
    </Card>
  )
}
