import type { VNode } from 'preact'
import { Button } from '../../ui/button.tsx'
import { useApp } from '../app-context.ts'
import type { Me } from '../api/session.ts'

/** The bar of every page while the workspace is closed: when it is erased, and the way back. */
export function ClosingBanner({ me }: { me: Me }): VNode | null {
  const { api, workspace, reloadWorkspace, reloadSites, words, format, toasts, explain } = useApp()
  const at = workspace.value?.closes_at
  if (!at) return null

  async function reopen(): Promise<void> {
    try {
      await api.post('workspace/reopen')
      await Promise.all([reloadWorkspace(), reloadSites()])
      toasts.done(words.value.reopened)
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  return (
    <div class="banner wrong" role="status">
      {words.value.closing(format.value.date(at))}
      {me.user.role === 'owner' && (
        <Button small onPress={reopen}>
          {words.value.reopen}
        </Button>
      )}
    </div>
  )
}
