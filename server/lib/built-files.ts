import { join } from 'node:path'

const DIST = join(import.meta.dirname, '../../dist')

/** The folders that `npm run build` makes. */
export const BUILT_WIDGET = join(DIST, 'widget')
export const BUILT_PANEL = join(DIST, 'panel')
