/**
 * Loaded before `openapi-typescript`, which builds on the programming interface of TypeScript 5;
 * the compiler that checks everything else has none.
 */
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
})
