import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import type { OwnAccount } from '../../../server/platform/account/schema.ts'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/account/account.ts'
import { Button } from '../../ui/button.tsx'
import { Avatar, Card } from '../../ui/page.tsx'
import { squarePicture } from '../../ui/square-picture.ts'

/** The picture beside one's replies. Any photo will do: it is cut to a square and made small here. */
export function Picture({
  account,
  words,
  onChange,
}: {
  account: OwnAccount
  words: Words
  onChange: (account: OwnAccount) => void
}): VNode {
  const app = useApp()
  const input = useRef<HTMLInputElement>(null)

  async function take(file: File): Promise<void> {
    const square = await squarePicture(file, 'cover').catch(() => undefined)
    if (!square) {
      app.toasts.failed(words.pictureFailed)
      return
    }
    try {
      const form = new FormData()
      form.append('file', square, 'picture.png')
      show(await app.api.upload<OwnAccount>('account/picture', form, 'PUT'))
    } catch (error) {
      app.toasts.failed(app.explain(error))
    }
  }

  async function remove(): Promise<void> {
    try {
      await app.api.delete('account/picture')
      show({ ...account, picture_url: null })
    } catch (error) {
      app.toasts.failed(app.explain(error))
    }
  }

  function show(changed: OwnAccount): void {
    onChange(changed)
    void app.takeAccount(changed)
  }

  return (
    <Card title={words.picture}>
      <div class="row picture">
        <Avatar name={account.name || account.email} picture={account.picture_url} />
        <div class="grow stack tight">
          <p class="soft small">{words.pictureHint}</p>
          <div class="row">
            <input
              ref={input}
              type="file"
              hidden
              accept="image/png,image/jpeg,image/webp"
              aria-label={words.choosePicture}
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? []
                event.currentTarget.value = ''
                if (file) void take(file)
              }}
            />
            <Button small icon="upload" onPress={() => input.current?.click()}>
              {words.choosePicture}
            </Button>
            {account.picture_url !== null && (
              <Button small kind="plain" onPress={remove}>
                {words.removePicture}
              </Button>
            )}
          </div>
        </div>
      </div>
    </Card>
  )
}
