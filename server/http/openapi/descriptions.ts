import type { Access } from '../access.ts'

/** Returns who may call a route and how its calls are limited, in sentences. */
export function describeCall(access: Access, pool: string | null | undefined): string {
  const limit = pool ? ` Calls count in the pool \`${pool}\`.` : ''
  return describeAccess(access) + limit
}

function describeAccess(access: Access): string {
  if (access.kind === 'public') return 'For everybody, without a token.'
  if (access.kind === 'installation') return "For the installation's operator."
  const people = access.users.length === 3 ? 'members of the workspace' : inWords(access.users)
  const callers = [
    ...(access.visitors ? ['visitors'] : []),
    ...(access.users.length > 0 ? [people] : []),
    ...(access.users.length > 0 && access.keys ? [describeKeys(access.scope)] : []),
  ]
  const plan = access.feature ? ` The plan must have \`${access.feature}\`.` : ''
  return `For ${callers.join(', ')}.${plan}`
}

function describeKeys(scope: string | readonly string[] | undefined): string {
  if (scope === undefined) return 'API keys'
  if (scope === 'none') return 'API keys without scopes'
  const names = [scope].flat().map((name) => `\`${name}\``)
  return `API keys with the scope ${names.join(' or ')}`
}

function inWords(roles: readonly string[]): string {
  return roles.map((role) => `${role}s`).join(' and ')
}
