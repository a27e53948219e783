import { AsyncLocalStorage } from 'node:async_hooks'

/** An account that somebody signs in to: nobody is its workspace's caller yet. */
interface Account {
  id: string
  workspaceId: string
}

/** The workspace or account for which code runs; undefined once that is over, or for none. */
interface WorkspaceScope {
  workspaceId: string | undefined
  account?: Account | undefined
}

const scopes = new AsyncLocalStorage<WorkspaceScope>()

/** Contexts cost every promise a little; the embedded database, with one writer, asks for no workspace. */
let isUsed = false

/** Begins to keep the workspace of running code, which costs nothing before. */
export function useWorkspaceScopes(): void {
  isUsed = true
}

/** Returns the workspace for which the running code was called; undefined for none. */
export function currentWorkspace(): string | undefined {
  return scopes.getStore()?.workspaceId
}

/** Returns the account that the running code signs somebody in to; undefined for none. */
export function currentAccount(): Account | undefined {
  return scopes.getStore()?.account
}

/**
 * Runs work for a workspace, or for none yet, and returns a function that ends the scope: loops that the
 * work has started and that outlive it must not count as the workspace's.
 */
export function openWorkspaceScope(workspaceId: string | undefined, work: () => void): () => void {
  if (!isUsed) {
    work()
    return () => undefined
  }
  const scope: WorkspaceScope = { workspaceId }
  scopes.run(scope, work)
  return () => {
    scope.workspaceId = undefined
    scope.account = undefined
  }
}

/** Runs work for a workspace, or for none. */
export function runForWorkspace<Result>(
  workspaceId: string | undefined,
  work: () => Result,
): Result {
  return isUsed ? scopes.run({ workspaceId }, work) : work()
}

/** Runs work for an account: what a sign-in left to be done. */
export function runForAccount<Result>(account: Account, work: () => Result): Result {
  return isUsed ? scopes.run({ workspaceId: undefined, account }, work) : work()
}

/** Names the account of the running scope: a sign-in knows it once it has read who that is. */
export function assignAccount(account: Account): void {
  const scope = scopes.getStore()
  if (scope) scope.account = account
}

/** Names the workspace of the running scope: where it is known later than the scope is opened. */
export function assignWorkspace(workspaceId: string): void {
  const scope = scopes.getStore()
  if (scope) scope.workspaceId = workspaceId
}
