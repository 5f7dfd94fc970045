import type { Plugin } from 'vite'

/**
 * Every schema of zod carries a way to become a JSON Schema. Only the docs page makes some, through `z.toJSONSchema`,
 * which brings these ways along; without the copies in the schemas, other pages load a tenth of zod less.
 */
export function leanZod(): Plugin {
  return {
    name: 'lean-zod',
    transform: {
      filter: { id: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ },
      handler: (code) => ({
        code: code
          .replace(/^ *inst\._zod\.processJSONSchema = .*;$/gm, '')
          .replace(/processors\.aggregateChecks\(inst\)/g, '({})')
          .replace(/create(Standard|To)JSONSchemaMethod\(this, [^)]*\)/g, 'undefined'),
        map: null,
      }),
    },
  }
}
