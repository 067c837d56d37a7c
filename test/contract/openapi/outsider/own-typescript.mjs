import { registerHooks } from 'node:module';

// hey-api's generator needs the API of the TypeScript of this project; the repository's has none.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL: import.meta.url } : context),
});
