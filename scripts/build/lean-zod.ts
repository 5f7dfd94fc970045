import type { Plugin } from 'vite'

/** The methods of a string for its formats: `z.string().email()` and thirty more. */
const FORMATS = /, \{\n {4}email\([^]*?\n\}(?=\);\nexport function string\()/

/**
 * Leaves out of zod what every page would load and none uses, a fifth of it. Every schema carries a way to become a JSON
 * Schema; only the docs page makes some, through `z.toJSONSchema`, which brings these ways along. Every string carries
 * each format that zod knows; `z.url()`, `z.iso.date()` and the like need only their own.
 */
export function leanZod(): Plugin {
  return {
    name: 'lean-zod',
    transform: {
      filter: { id: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ },
      handler: (code) => ({
        code: withoutFormats(code)
          .replace(/^ *inst\._zod\.processJSONSchema = .*;$/gm, '')
          .replace(/processors\.aggregateChecks\(inst\)/g, '({})')
          .replace(/create(Standard|To)JSONSchemaMethod\(this, [^)]*\)/g, 'undefined'),
        map: null,
      }),
    },
  }
}

function withoutFormats(code: string): string {
  if (!FORMATS.test(code)) throw new Error('zod writes its strings otherwise by now: look at scripts/build/lean-zod.ts')
  return code.replace(FORMATS, '')
}
