import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import type { Role } from '../../app/pages.ts'

const ROLES = ['operator', 'admin', 'owner'] as const satisfies readonly Role[]

/** Returns the roles that somebody may give: only owners make owners. */
export function rolesFor(withOwner: boolean): readonly Role[] {
  return ROLES.filter((role) => withOwner || role !== 'owner')
}

/** The role of one person, in the table. */
export function RoleChoice({
  label,
  role,
  withOwner,
  onPick,
}: {
  label: string
  role: Role
  withOwner: boolean
  onPick: (role: Role) => void
}): VNode {
  const { words } = useApp()
  return (
    <select
      class="input"
      style={{ width: 'auto' }}
      aria-label={label}
      value={role}
      onChange={(event) => {
        const chosen = ROLES.find((each) => each === event.currentTarget.value)
        if (chosen) onPick(chosen)
      }}
    >
      {rolesFor(withOwner).map((each) => (
        <option key={each} value={each}>
          {words.value.roles[each]}
        </option>
      ))}
    </select>
  )
}
