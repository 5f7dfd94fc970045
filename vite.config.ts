import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { brotli } from './scripts/build/brotli.ts'
import { lateStyles } from './scripts/build/late-styles.ts'
import { leanContract } from './scripts/build/lean-contract.ts'
import { leanCss } from './scripts/build/lean-css.ts'
import { leanRouter } from './scripts/build/lean-router.ts'
import { leanZod } from './scripts/build/lean-zod.ts'
import { pageFiles } from './scripts/build/page-files.ts'

const packages = (names: string) => new RegExp(`[\\\\/]node_modules[\\\\/](${names})[\\\\/]`)

/**
 * Small things that a public page shows, and others too: in one file they are less than in thirty. Nothing that every
 * page has may need them, or it would run before what they need in turn.
 */
const publicParts = [
  'renderer/ui/(copy-button|use-copy|stat|disclosure|digest|digest-mark|middle-ellipsis|monogram|nothing-here)',
  'renderer/ui/(data-table|use-is-phone|file-icon)',
  'renderer/lib/(platforms|filename)',
  'icons/Icon(World|Lock|Download|ChevronRight|Copy|Qrcode|Check)',
  'icons/Icon(BrandApple|BrandUbuntu|BrandWindows|Coffee|File\\w*|Music|Photo|Video)',
].map((pattern) => pattern.replaceAll('/', '[\\\\/]'))

/**
 * What every page needs and what changes less often than our pages: files of their own, which a browser keeps over our
 * updates. Of the kit only what most pages use; each page brings the rest that it uses, so that a visitor does not wait
 * for the parts of a dialog.
 */
const chunkGroups = [
  {
    name: 'parts',
    test: new RegExp(`[\\\\/](${publicParts.join('|')})\\.`),
    priority: 3,
  },
  // Together, so that zod knows that it may not compile before the first schema is made.
  { name: 'zod', test: /[\\/]node_modules[\\/]zod[\\/](?!.*json-schema)|[\\/]lib[\\/]jitless\.ts$/, priority: 2 },
  {
    name: 'base',
    test: packages('react|react-dom|scheduler|react-router|react-router-dom|@tanstack|clsx'),
    priority: 2,
  },
  {
    name: 'kit',
    // Dialogs and menus scroll inside themselves and bring what places things; a visitor fills in nothing.
    test: /[\\/]renderer[\\/](ui|lib)[\\/]|[\\/]node_modules[\\/](@mantine[\\/](core(?!.*(ScrollArea|Input))|hooks)|@tabler)[\\/]/,
    minShareCount: 12,
    priority: 1,
  },
]

const EVERYWHERE = /assets\/(zod|base|kit|contract|paths|rolldown-runtime)-/

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
  plugins: [react(), openapi, leanRouter(), leanZod(), leanContract(), leanCss(), lateStyles(), pageFiles(), brotli()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    // The Content-Security-Policy allows scripts and fonts from our own origin only, so no file becomes a data: URL.
    assetsInlineLimit: 0,
    // Every browser that runs our scripts knows it.
    modulePreload: {
      polyfill: false,
      // What every page has is there already when a script asks for another one.
      resolveDependencies: (_file, dependencies, { hostType }) =>
        hostType === 'html' ? dependencies : dependencies.filter((name) => !EVERYWHERE.test(name)),
    },
    rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: chunkGroups } } },
  },
})
