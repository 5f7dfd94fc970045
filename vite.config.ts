import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { brotli } from './scripts/build/brotli.ts'

const packages = (names: string) => new RegExp(`[\\\\/]node_modules[\\\\/](${names})[\\\\/]`)

/** What most signed-out people use besides: words, lists, and the fields of signing in. */
const publicParts = [
  String.raw`[\\/]renderer[\\/]lib[\\/](forms|hooks|links|words)[\\/]`,
  String.raw`[\\/]renderer[\\/]ui[\\/](feedback|file|layout|text|table[\\/](card-grid|skeletons))`,
  String.raw`[\\/]@mantine[\\/]core[\\/]esm[\\/]components[\\/](Badge|Input|PasswordInput|Progress|Switch|TextInput)[\\/]`,
]

/** Files of their own that a browser keeps over our updates, because they change less often than our pages. */
const chunkGroups = [
  // Alone: the page that the server writes starts the app with it, and must load nothing else.
  { name: 'preload', test: /vite[\\/]preload-helper/, priority: 5 },
  { name: 'actions', test: /[\\/]renderer[\\/]visitor[\\/]parts[\\/](page-actions|copy-text)/, priority: 5 },
  // With the line that forbids zod to compile: it has to run before the first schema is made.
  { name: 'zod', test: /[\\/]node_modules[\\/]zod[\\/]|[\\/]jitless\.ts$/, priority: 4 },
  { name: 'react', test: packages('react|react-dom|scheduler|react-router|react-router-dom|@tanstack'), priority: 4 },
  // The page of a project and all that it imports: its visitors load nothing of the groups below but icons.
  {
    name: 'visit',
    test: /[\\/]renderer[\\/](start\.tsx|features[\\/](public-project|feed[\\/]project-feed)|ui[\\/]feedback[\\/]message-place)/,
    priority: 3,
  },
  { name: 'icons', test: packages('@tabler'), minShareCount: 4, priority: 2 },
  { name: 'public', test: new RegExp(publicParts.join('|')), minShareCount: 2, priority: 1 },
  // Tables, menus and dialogs, as most other pages share them. Each page brings the rest that it uses.
  {
    name: 'kit',
    test: /[\\/]renderer[\\/](ui|lib)[\\/]|[\\/]node_modules[\\/]@mantine[\\/](core|hooks)[\\/]/,
    minShareCount: 6,
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
