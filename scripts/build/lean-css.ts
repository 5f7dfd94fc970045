import postcss from 'postcss'
import type { Plugin, Rolldown } from 'vite'

/** How the kit calls its classes, in its styles and in its components. */
const KIT_CLASS = /\bm_[0-9a-f]{6,8}\b/g

/** Leaves out the styles of those parts of the kit that no page uses: more than half of them. */
export function leanCss(): Plugin {
  return {
    name: 'lean-css',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle)
      const used = new Set(
        files.flatMap((file) => (file.type === 'chunk' ? [...file.code.matchAll(KIT_CLASS)] : [])).map(String),
      )
      for (const file of files) if (isStyles(file)) file.source = without(used, String(file.source))
    },
  }
}

const isStyles = (file: Rolldown.OutputChunk | Rolldown.OutputAsset): file is Rolldown.OutputAsset =>
  file.type === 'asset' && file.fileName.endsWith('.css')

function without(used: ReadonlySet<string>, css: string): string {
  const isNeeded = (selector: string) => (selector.match(KIT_CLASS) ?? []).every((name) => used.has(name))
  const root = postcss.parse(css)
  root.walkRules((rule) => {
    const needed = rule.selectors.filter(isNeeded)
    if (needed.length === 0) rule.remove()
    else if (needed.length < rule.selectors.length) rule.selectors = needed
  })
  return root.toString()
}
