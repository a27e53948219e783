import { type ComponentChildren, Fragment, h, type VNode } from 'preact'

/**
 * The function that JSX compiles to; `type` is a component as well. Preact's own also serves string
 * templates, which the widget does not use.
 */
export function jsx(
  type: string,
  props: Record<string, unknown> & { children?: ComponentChildren },
  key?: string,
): VNode {
  return h(type, key === undefined ? props : { ...props, key })
}
export const jsxs = jsx
export { Fragment }
