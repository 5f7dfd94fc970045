import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { brotli } from './scripts/build/brotli.ts'

const packages = (names: string) => new RegExp(`[\\\\/]node_modules[\\\\/](${names})[\\\\/]`)

/** Files of their own that a browser keeps over our updates, because they change less often than our pages. */
const chunkGroups = [
  // Alone: the page that the server writes starts the app with it, and must load nothing else.
  { name: 'preload', test: /vite[\\/]preload-helper/, priority: 3 },
  // With the line that forbids zod to compile: it has to run before the first schema is made.
  { name: 'zod', test: /[\\/]node_modules[\\/]zod[\\/]|[\\/]jitless\.ts$/, priority: 2 },
  { name: 'react', test: packages('react|react-dom|scheduler|react-router|react-router-dom|@tanstack'), priority: 2 },
  // What most pages share. Each page brings the rest that it uses.
  {
    name: 'kit',
    test: /[\\/]renderer[\\/](ui|lib)[\\/]|[\\/]node_modules[\\/](@mantine[\\/](core|hooks)|@tabler)[\\/]/,
    minShareCount: 6,
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
  plugins: [react(), openapi, brotli()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    // The Content-Security-Policy allows scripts and fonts from our own origin only, so no file becomes a data: URL.
    assetsInlineLimit: 0,
    // Every browser that runs our scripts knows it.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The app, and the page that the server writes for visitors, which starts the app later.
      input: ['renderer/index.html', 'renderer/visitor.html'],
      output: { codeSplitting: { groups: chunkGroups } },
    },
  },
})
