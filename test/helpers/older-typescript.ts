/**
 * Loaded before `openapi-typescript`, which needs the API of TypeScript 5; the native compiler of the
 * other checks has none.
 */
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
})
