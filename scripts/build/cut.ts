import type { Plugin } from 'vite'

interface Cut {
  /** What the build then lacks, as an object of "cut out". */
  what: string
  module: RegExp
  /** The whole module by default. */
  text?: RegExp
  by: string
}

/**
 * Replaces a part of a library by less. Where a new version of the library has no such part, the
 * build fails: otherwise every page would silently load more.
 */
export function cut({ what, module, text = /^[^]+$/, by }: Cut): Plugin {
  let isDone = false
  return {
    name: `cut out ${what}`,
    apply: 'build',
    transform: {
      filter: { id: module },
      handler(code) {
        const rest = code.replace(text, by)
        if (rest === code) return
        isDone = true
        return rest
      },
    },
    buildEnd(error) {
      if (error || isDone) return
      this.error(
        `The build cannot cut out ${what}: no module at ${module} has ${text}. ` +
          'Its library has changed. Adapt this cut in vite.config.ts, or delete it.',
      )
    },
  }
}
