/** English names of a new workspace: with the owner's name, and without one. */
export const en = {
  workspaceOf: (name: string) => `${name}'s workspace`,
  ownWorkspace: 'My workspace',
}

export type WorkspaceStrings = typeof en
