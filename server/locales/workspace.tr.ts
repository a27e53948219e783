import type { WorkspaceStrings } from './workspace.en.ts'

/** Turkish names of a new workspace. */
export const tr: WorkspaceStrings = {
  workspaceOf: (name) => `${name} – çalışma alanı`,
  ownWorkspace: 'Çalışma alanım',
}
