import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { firstViews } from './first-views.ts'

/**
 * Writes `page-files.json`: the files that each page of the app begins with, and those of all pages
 * (`''`). The server names them in the page, so that a browser loads them at once
 * (server/http/pages/static-ui.ts).
 */
export const pageFiles = (): Plugin => ({
  name: 'page-files',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
    const filesOf = (end: string) => {
      const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(end)))
      if (!chunk) throw new Error(`No page has the module ${end}`)
      return listFiles(chunk, bundle)
    }

    const lists = Object.entries(firstViews).map(([route, ends]) => [
      route,
      [...new Set(ends.flatMap(filesOf))],
    ])
    const files = Object.fromEntries(lists) as object
    await writeFile(join(dir, 'page-files.json'), JSON.stringify(files))
  },
})

/** The addresses of a chunk, its styles, and all that it imports. */
function listFiles(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const files = new Set<string>()
  const add = (name: string) => {
    const output = bundle[name]
    if (output?.type !== 'chunk' || files.has(name)) return
    files.add(name)
    for (const style of output.viteMetadata?.importedCss ?? []) files.add(style)
    output.imports.forEach(add)
  }
  add(chunk.fileName)
  return [...files].map((name) => `/${name}`)
}
