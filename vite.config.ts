import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { brotli } from './scripts/build/brotli'
import { leanZod } from './scripts/build/lean-zod'

const packages = (names: string) => new RegExp(`[\\\\/]node_modules[\\\\/](${names})[\\\\/]`)

/**
 * What every page needs and what changes less often than our pages: files of their own, which a browser keeps over our
 * updates. Of the kit only what most pages use; each page brings the rest that it uses, so that a visitor does not wait
 * for the parts of a dialog.
 */
const chunkGroups = [
  // Together, so that zod knows that it may not compile before the first schema is made.
  { name: 'zod', test: /[\\/]node_modules[\\/]zod[\\/](?!.*json-schema)|[\\/]lib[\\/]jitless\.ts$/, priority: 2 },
  {
    name: 'base',
    test: packages('react|react-dom|scheduler|react-router|react-router-dom|@tanstack|clsx'),
    priority: 2,
  },
  {
    name: 'kit',
    // Dialogs and menus scroll inside themselves, and bring what places things beside other things.
    test: /[\\/]renderer[\\/](ui|lib)[\\/]|[\\/]node_modules[\\/](@mantine[\\/](core(?!.*ScrollArea)|hooks)|@tabler)[\\/]/,
    minShareCount: 12,
    priority: 1,
  },
]

const readOpenapi = () => readFileSync(new URL('docs/openapi.json', import.meta.url))

/** The description of the API, at an address that tools can rely on: /openapi.json. */
const openapi: Plugin = {
  name: 'openapi',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'openapi.json', source: readOpenapi() })
  },
  configureServer({ middlewares }) {
    middlewares.use('/openapi.json', (_request, response) => {
      response.setHeader('Content-Type', 'application/json').end(readOpenapi())
    })
  },
}

/** The page: one build for the window and for every browser. Main, preload and server: scripts/build/. */
export default defineConfig({
  root: 'renderer',
  plugins: [react(), openapi, leanZod(), brotli()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    // The Content-Security-Policy allows scripts and fonts from our own origin only, so no file becomes a data: URL.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: chunkGroups } } },
  },
})
