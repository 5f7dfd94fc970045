import { readdirSync, readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { brotli } from './scripts/build/brotli.ts'
import { cut } from './scripts/build/cut.ts'
import { countFirstViews, isFirst, isShared, MOST_SHARED } from './scripts/build/first-views.ts'
import { pageFiles } from './scripts/build/page-files.ts'
import { values } from './scripts/build/values.ts'

const packages = (names: string) => new RegExp(`[\\\\/]node_modules[\\\\/](${names})[\\\\/]`)

/** The parts of the contract that pages begin with: they import no schema. */
const lightContract = String.raw`[\\/]server[\\/]contract[\\/](calls|sending|errors|limits|pages|routes|unseen|projects[\\/]page-query)\.ts$`

/** Of the kit, what opens above a page, and what only that needs. */
const floating = new RegExp(
  [
    packages('@floating-ui|tabbable').source,
    String.raw`[\\/]@mantine[\\/](hooks|core[\\/]esm[\\/](core|components[\\/](Combobox|Drawer|FloatingArrow|FocusTrap|Floating|Menu|Modal|ModalBase|Overlay|Popover|Portal|ScrollArea|Tooltip)))[\\/]`,
  ].join('|'),
)

/**
 * Files of their own that a browser keeps over our updates, because they change less often than our
 * pages.
 */
const chunkGroups = [
  // The page that the server writes starts the app with it, and must load nothing else.
  {
    name: 'boot',
    test: /rolldown.runtime|vite[\\/]preload-helper|fetch-first\.ts$|[\\/]renderer[\\/]visitor[\\/]parts[\\/](page-actions|copy-text)|lightbox[\\/]open-shot/,
    priority: 60,
  },
  {
    name: 'react',
    test: packages('react|react-dom|scheduler|react-router|react-router-dom|@tanstack'),
    priority: 60,
  },
  // Also sends the forms of pages that the server writes, without the app.
  {
    name: 'client',
    test: new RegExp(
      String.raw`[\\/]lib[\\/](client[\\/](api-client|failure)|browser[\\/]desktop)\.ts$|${lightContract}`,
    ),
    priority: 50,
  },
  // Of the contract, too, but without schemas, and needed by visitors of a project.
  {
    name: 'updates',
    test: /[\\/]server[\\/]contract[\\/](update-clients[\\/]|shell-quote)/,
    priority: 41,
  },
  // The frame of the app and all that it imports. A page loads only what it adds. The sentences are
  // few, and would be with what draws files, which most tabs of a project do without.
  {
    name: 'start',
    test: /[\\/]renderer[\\/]start\.tsx$|[\\/]texts[\\/]files[\\/]damaged-file\.ts$/,
    priority: 40,
  },
  // The rules of forms, which load when the page is idle or a form opens.
  {
    name: 'schemas',
    test: /[\\/]node_modules[\\/]zod[\\/]|[\\/]lib[\\/]browser[\\/]zod\.ts$|[\\/]server[\\/]contract[\\/](?!host-settings[\\/]rows|files[\\/](android-version|file-orders|formats|platforms)\.)/,
    // Below what first views share, which it would take along otherwise.
    priority: 5,
  },
  // A small file costs a browser as much time as a large one, and so do bytes that a page does not
  // need: what several pages begin with is in a few files.
  ...Array.from({ length: MOST_SHARED }, (_, file) => ({
    name: `views-${file}`,
    test: (id: string) => isShared(id, file),
    priority: 39 - file,
  })),
  // What loads after the first view, for several parts.
  { name: 'floating', test: late(floating), minShareCount: 2, priority: 1 },
  {
    name: 'scroll-lock',
    test: packages('react-(remove-scroll(-bar)?|style-singleton)|use-(callback-ref|sidecar)|tslib'),
    minShareCount: 2,
    priority: 2,
  },
  { name: 'icons', test: late(packages('@tabler')), minShareCount: 2, priority: 1 },
  {
    name: 'parts',
    test: late(/[\\/](renderer[\\/](lib|ui)|server[\\/]texts|@mantine)[\\/]/),
    minShareCount: 3,
  },
]

/** Of these modules, those that no page begins with. */
function late(pattern: RegExp) {
  return (id: string) => !isFirst(id) && pattern.test(id)
}

const router = packages('react-router')

/** What our pages do without. */
const cuts = [
  // Parts load by `fetchFirst`.
  cut({
    what: "Vite's own preload helper",
    module: /vite\/preload-helper/,
    by: "export { fetchFirst as __vitePreload } from '/lib/browser/fetch-first.ts'",
  }),
  // They stand in what bundlers get of it.
  cut({
    what: 'warnings of the router for developers',
    module: router,
    text: /var ENABLE_DEV_WARNINGS = true/,
    by: 'var ENABLE_DEV_WARNINGS = false',
  }),
  // They keep parts in the build that no page uses.
  cut({
    what: 'names of the router for developer tools',
    module: router,
    text: /^\w+\.displayName = "[^"]*";$/gm,
    by: '',
  }),
  cut({
    what: 'prefetching by the framework of the router',
    module: router,
    text: /return shouldPrefetch && [^;]*;/,
    by: 'return link;',
  }),
  cut({
    what: 'unused components and contexts of the router',
    module: router,
    text: /= (React\w*\.(forwardRef|createContext|memo)\()/g,
    by: '= /* @__PURE__ */ $1',
  }),
  cut({
    what: "lists of fields of the kit's forms",
    module: /@mantine[\\/]form[\\/].*use-form-list\.mjs$/,
    by: 'export const useFormList = () => ({})',
  }),
  cut({
    what: "changes of the kit's forms from elsewhere",
    module: /@mantine[\\/]form[\\/].*[\\/]actions\.mjs$/,
    by: 'export const [useFormActions, createFormActions] = [() => undefined]',
  }),
  cut({
    what: "watches on fields of the kit's forms",
    module: /@mantine[\\/]form[\\/].*use-form-watch\.mjs$/,
    by:
      'const watches = { getFieldSubscribers: () => [], notifyWatchSubscribers: () => undefined };' +
      ' export const useFormWatch = () => watches',
  }),
  cut({
    what: "checks of single fields of the kit's forms",
    module: /@mantine[\\/]form[\\/].*validate-field-value\.mjs$/,
    by: 'export const validateFieldValue = () => ({ hasError: false, error: null })',
  }),
  // `findEdits` tells what has changed.
  cut({
    what: "comparisons of values by the kit's forms",
    module: /[\\/]fast-deep-equal[\\/]/,
    by: 'export default Object.is',
  }),
  // Browsers have it themselves.
  cut({
    what: "copies of the values of the kit's forms",
    module: /[\\/]klona[\\/]full[\\/]/,
    by: 'export const klona = structuredClone',
  }),
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
  plugins: [react(), cuts, values(), openapi, guide, countFirstViews, pageFiles(), brotli()],
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
