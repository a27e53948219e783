import { join } from 'node:path'

/** The folder that `npm run build` makes. */
export const BUILT_WIDGET = join(import.meta.dirname, '../../dist/widget')
