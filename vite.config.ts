import { readdirSync, readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { brotli } from './scripts/build/brotli.ts'
import { calls } from './scripts/build/calls.ts'
import { countFirstViews, isFirst, isOfMany } from './scripts/build/first-views.ts'
import { pageFiles } from './scripts/build/page-files.ts'

const packages = (names: string) => new RegExp(`[\\\\/]node_modules[\\\\/](${names})[\\\\/]`)

/** The parts of the contract that pages begin with: they import no schema. */
const lightContract = String.raw`[\\/]server[\\/]contract[\\/](calls|sending|errors|limits|pages|routes|unseen|projects[\\/]page-query|files[\\/](android-version|file-kind|file-orders|platforms))\.ts$`

/** Of the kit, what opens above a page, and what only that needs. */
const floating = new RegExp(
  [
    packages('@floating-ui|tabbable').source,
    String.raw`[\\/]@mantine[\\/]core[\\/]esm[\\/]components[\\/](Combobox(?![\\/](get-parsed|ComboboxChevron))|Drawer|FloatingArrow|FocusTrap|Floating|Menu|Modal|ModalBase|Overlay|Popover|ScrollArea(?!.*to-int)|Tooltip)[\\/]`,
  ].join('|'),
)

/** Of the kit, what lists and forms show. */
const controls =
  /[\\/]@mantine[\\/](hooks|core[\\/]esm[\\/](core|components[\\/](Checkbox[\\/]CheckIcon|CloseButton|Combobox[\\/](get-parsed[^\\/]*|ComboboxChevron)|Input|InputBase|NativeSelect|Portal|ScrollArea[\\/].*to-int|TextInput|Transition)))[\\/.]/

/** Of the pages of the host, and of those with files. */
const ofHost = /[\\/](features[\\/](activity|addresses|internet)|texts[\\/]host)[\\/]/
const ofFiles = /[\\/](features[\\/](file-requests|files)|texts[\\/]files)[\\/]/

/**
 * Files of their own that a browser keeps over our updates, because they change less often than our
 * pages.
 */
const chunkGroups = [
  // The page that the server writes starts the app with it, and must load nothing else.
  {
    name: 'boot',
    test: /rolldown.runtime|vite[\\/]preload-helper|fetch-first\.ts$|[\\/]renderer[\\/]visitor[\\/]parts[\\/](page-actions|copy-text)|lightbox[\\/]open-shot/,
    priority: 6,
  },
  {
    name: 'react',
    test: packages('react|react-dom|scheduler|react-router|react-router-dom|@tanstack'),
    priority: 6,
  },
  // Also sends the forms of pages that the server writes, without the app.
  {
    name: 'client',
    test: new RegExp(
      String.raw`[\\/]lib[\\/]client[\\/](api-client|failure)\.ts$|${lightContract}`,
    ),
    priority: 5,
  },
  // Of the contract, too, but without schemas, and needed by visitors of a project.
  {
    name: 'updates',
    test: /[\\/]server[\\/]contract[\\/](update-clients[\\/]|shell-quote)/,
    priority: 4,
  },
  // The frame of the app and all that it imports. A page loads only what it adds.
  { name: 'start', test: /[\\/]renderer[\\/]start\.tsx$/, priority: 4 },
  // The rules of forms, which load when the page is idle or a form opens.
  {
    name: 'schemas',
    test: /[\\/]node_modules[\\/]zod[\\/]|[\\/]lib[\\/]browser[\\/]zod\.ts$|[\\/]server[\\/]contract[\\/]/,
    priority: 3,
  },
  // What most pages show: one file, rather than one for each small part.
  {
    name: 'base',
    test: new RegExp(
      [
        String.raw`[\\/]renderer[\\/](lib[\\/](client(?![\\/]each-file)|hooks|texts|browser)|ui[\\/](feedback|layout[\\/]page|text[\\/](middle|mono|time|use-now)|table[\\/](data-table|late-menu|skeletons|use-)))`,
        String.raw`[\\/]server[\\/]texts[\\/](filename|format)`,
        String.raw`[\\/]@mantine[\\/]core[\\/]esm[\\/]components[\\/](Anchor|Badge|Paper|ThemeIcon|VisuallyHidden)[\\/]`,
      ].join('|'),
    ),
    minShareCount: 3,
    priority: 2,
  },
  { name: 'icons', test: packages('@tabler'), minShareCount: 2, priority: 1 },
  // A small file costs a browser as much time as a large one. So parts of several pages share a few:
  // fields, what opens above a page, and our own parts of first views.
  { name: 'controls', test: controls, minShareCount: 2, priority: 2 },
  {
    name: 'scroll-lock',
    test: packages('react-(remove-scroll(-bar)?|style-singleton)|use-(callback-ref|sidecar)|tslib'),
    minShareCount: 2,
    priority: 2,
  },
  { name: 'floating', test: floating, minShareCount: 2, priority: 1 },
  { name: 'views', test: isOfMany, minShareCount: 2, priority: 1 },
  { name: 'host', test: (id: string) => isFirst(id) && ofHost.test(id), minShareCount: 2 },
  { name: 'files', test: (id: string) => isFirst(id) && ofFiles.test(id), minShareCount: 2 },
]

/** Loads parts by `fetchFirst`, in place of Vite's own helper. */
const fetchFirst: Plugin = {
  name: 'fetch-first',
  apply: 'build',
  load: {
    filter: { id: /vite\/preload-helper/ },
    handler: () => "export { fetchFirst as __vitePreload } from '/lib/browser/fetch-first.ts'",
  },
}

/** Names that only developer tools read keep parts of the router in the build that no page uses. */
const unnamedRouter: Plugin = {
  name: 'unnamed-router',
  apply: 'build',
  transform(code, id) {
    if (!/[\\/]node_modules[\\/]react-router[\\/]/.test(id)) return
    return code
      .replace(/^\w+\.displayName = "[^"]*";$/gm, '')
      .replace(/= (React\w*\.(forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ $1')
  },
}

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

/** The guide and the page about services, which the server renders: /guide. */
const guide: Plugin = {
  name: 'guide',
  apply: 'build',
  generateBundle() {
    const names = readdirSync('docs/guide', { recursive: true, encoding: 'utf8' })
    const files = names.filter((name) => /\.(md|webp)$/.test(name)).map((name) => `guide/${name}`)
    for (const name of [...files, 'deploy.md']) {
      const source = readFileSync(new URL(`docs/${name}`, import.meta.url))
      this.emitFile({ type: 'asset', fileName: `guide/${name.replace('guide/', '')}`, source })
    }

    const source = readFileSync(new URL('.github/actions/preview/action.yml', import.meta.url))
    this.emitFile({ type: 'asset', fileName: 'guide/preview-action.yml', source })
  },
}

/**
 * The page: one build for the window and for every browser. Main, preload and server:
 * scripts/build/.
 */
export default defineConfig({
  root: 'renderer',
  plugins: [
    react(),
    fetchFirst,
    unnamedRouter,
    calls(),
    openapi,
    guide,
    countFirstViews,
    pageFiles(),
    brotli(),
  ],
  resolve: { alias: [{ find: /^zod$/, replacement: '/lib/browser/zod.ts' }] },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    // The Content-Security-Policy allows scripts and fonts from our own origin only, so no file
    // becomes a data: URL.
    assetsInlineLimit: 0,
    // Every browser that runs our scripts knows it.
    modulePreload: {
      polyfill: false,
      // For `fetchFirst`: also the file itself, which Vite omits where it needs no other.
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === 'js' ? [...new Set([file, ...needed])] : needed,
    },
    rolldownOptions: {
      // The page that the server writes, which starts the app. Only `npm run dev` opens index.html.
      input: ['renderer/visitor.html'],
      treeshake: { moduleSideEffects: (id) => !/[\\/]server[\\/](contract|texts)[\\/]/.test(id) },
      output: { codeSplitting: { groups: chunkGroups } },
    },
  },
})
