import type { Plugin, Rolldown } from 'vite'

/** The pages that strangers open first, by the name of their code. */
const PAGES = ['landing-page', 'public-project-page']

/**
 * Writes `page-files.json`: the scripts and styles of these pages beside those that every page has. The server names
 * them in the HTML, so that a browser fetches them at once, and not only when the first script has run.
 */
export function pageFiles(): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const chunks = new Map(
        Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
      )
      const all = [...chunks.values()]
      const everywhere = new Set(all.filter(({ isEntry }) => isEntry).flatMap((entry) => withImports(entry, chunks)))
      const files = all
        .filter(({ name }) => PAGES.includes(name))
        .map((page) => {
          const own = withImports(page, chunks).filter((file) => !everywhere.has(file))
          return [
            page.name,
            own.flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])]),
          ]
        })
      if (files.length !== PAGES.length) this.error(`These pages are gone from the build: ${PAGES.join(', ')}`)
      this.emitFile({ type: 'asset', fileName: 'page-files.json', source: JSON.stringify(Object.fromEntries(files)) })
    },
  }
}

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>

/** A chunk and all that it imports at once. */
function withImports(chunk: Rolldown.OutputChunk, chunks: Chunks, found = new Set([chunk])): Rolldown.OutputChunk[] {
  for (const name of chunk.imports) {
    const imported = chunks.get(name)
    if (!imported || found.has(imported)) continue
    found.add(imported)
    withImports(imported, chunks, found)
  }
  return [...found]
}
