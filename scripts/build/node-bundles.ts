import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { basename } from 'node:path'
import type { InlineConfig, Plugin } from 'vite'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

/**
 * Optional packages that no bundle contains, so that the output does not depend on the build
 * machine: the native parts of ssh2, which works without them, and supports-color, which debug uses
 * if some tool has installed it.
 */
const ABSENT = ['cpu-features', 'supports-color']
const withoutNativeParts: Plugin = {
  name: 'without-native-parts',
  enforce: 'pre',
  resolveId: (id) => (ABSENT.includes(id) || id.endsWith('.node') ? '\0absent.cjs' : null),
  load: (id) => (id === '\0absent.cjs' ? "throw new Error('no native parts')" : null),
}

/**
 * Escapes non-ASCII characters. A single one makes V8 store the module with two bytes per
 * character: without this, a newly started host takes 5 MiB more.
 */
const ascii: Plugin = {
  name: 'ascii',
  generateBundle: (_options, bundle) => {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk') chunk.code = escaped(chunk.code)
  },
}

/**
 * Imports Node's modules as a whole. A named `import` reads all exports, including lazy ones: that
 * of `node:http` loads all of undici, 12 MiB.
 */
const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  renderChunk: (code) => code.replace(BUILTIN_IMPORT, takeBuiltin),
}

const BUILTIN_IMPORT =
  /^import (?:\* as )?([\w$]+)?(?:, )?(\{[^}]*\})? ?from "((?:node:)?[\w/]+)";$/gm

function takeBuiltin(
  line: string,
  whole: string | undefined,
  parts: string | undefined,
  name: string,
): string {
  if (!isBuiltin(name)) return line
  const names = [whole ?? [], parts?.replaceAll(' as ', ': ') ?? []].flat()
  return `const ${names.map((to) => `${to} = process.getBuiltinModule("${name}")`).join(', ')};`
}

const escaped = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Bundles for Node. Everything but Electron is bundled, so that the packaged app needs no
 * node_modules.
 */
const base: InlineConfig = {
  configFile: false,
  logLevel: 'warn',
  // Koa's packages share the newer of two versions, whose tables take time and 180 kB.
  resolve: { conditions: ['node'], mainFields: ['module', 'main'], dedupe: ['mime-types'] },
  // The React that writes pages for visitors has another, slower build for development.
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { target: 'node', noExternal: true, external: ['electron'] },
  plugins: [withoutNativeParts, ascii],
}

/**
 * libvips must have its own files, because each of its threads loads them again. JPEG XL and SVG
 * are left out.
 */
const VIPS = ['vips-node.mjs', 'vips.wasm', 'vips-heif.wasm']

/**
 * Leaves libvips out of a bundle. `folder` has its files, from there; `isThere`: another bundle
 * brings them.
 */
const vipsIn = (folder: string, { isThere }: { isThere: boolean }): Plugin => ({
  name: 'vips',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^wasm-vips$/ },
    handler: () => ({ id: `${folder}/vips-node.mjs`, external: true }),
  },
  async generateBundle(_options, bundle) {
    const needsIt = Object.values(bundle).some(
      (file) =>
        file.type === 'chunk' && file.dynamicImports.some((name) => name.endsWith('vips-node.mjs')),
    )

    for (const name of needsIt && !isThere ? VIPS : []) {
      const originalFileName = `${process.cwd()}/node_modules/wasm-vips/lib/${name}`
      this.emitFile({
        type: 'asset',
        fileName: name,
        originalFileName,
        source: await readFile(originalFileName),
      })
    }
  },
})

const RESOLVED = /import\.meta\.resolve\('([^']+)'\)/g

/**
 * Ships the files of packages that a module asks for by `import.meta.resolve`. `folder` and
 * `isThere`: as above.
 */
const filesIn = (folder: string, { isThere }: { isThere: boolean }): Plugin => ({
  name: 'files-of-packages',
  enforce: 'pre',
  transform: {
    filter: { code: /import\.meta\.resolve\(/, id: /[\\/]server[\\/]/ },
    async handler(code) {
      for (const [, id = ''] of isThere ? [] : code.matchAll(RESOLVED)) {
        const originalFileName = `${process.cwd()}/node_modules/${id}`
        this.emitFile({
          type: 'asset',
          fileName: basename(id),
          originalFileName,
          source: await readFile(originalFileName),
        })
      }

      return code.replace(
        RESOLVED,
        (_, id: string) => `new URL('${folder}/${basename(id)}', import.meta.url).href`,
      )
    },
  },
})

/** Workers need separate files. Electron starts them by their paths within app.asar too. */
const workers = {
  'block-map-worker': 'server/data/blobs/block-map/block-map-worker.ts',
  'hash-worker': 'server/data/blobs/hash-worker.ts',
  'package-worker': 'server/libraries/package-reader/package-worker.ts',
  'picture-worker': 'server/libraries/picture-maker/picture-worker.ts',
}

/** Each entry of `input` becomes a file next to the first one. */
function nodeBundle(
  outDir: string,
  input: Record<string, string>,
  plugins: Plugin[],
): InlineConfig {
  return {
    ...base,
    // ssh2 looks for files next to its own while it loads; an ES module has no __dirname.
    define: { ...base.define, __dirname: 'import.meta.dirname' },
    plugins: [...(base.plugins ?? []), plainBuiltins, ...plugins],
    build: {
      ssr: true,
      emitAssets: true,
      target: 'node24',
      outDir,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        input,
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  }
}

/** A sandboxed preload script must be one CommonJS file. */
const preloadBundle: InlineConfig = {
  ...base,
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist/preload',
    emptyOutDir: true,
    minify: false,
    rolldownOptions: {
      input: { index: 'preload/index.ts' },
      output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
    },
  },
}

/** The command that people run on other machines: one file, for any Node from 20. */
export const commandBundle: InlineConfig = {
  ...base,
  define: { 'process.env.SLIPWAY_VERSION': JSON.stringify(version) },
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist/cli',
    emptyOutDir: true,
    minify: true,
    rolldownOptions: {
      input: { cli: 'cli/run.ts' },
      output: {
        format: 'es',
        entryFileNames: '[name].mjs',
        codeSplitting: false,
        banner: '#!/usr/bin/env node',
      },
    },
  },
}

export const serverBundle = nodeBundle('dist/server', { cli: 'server/cli/run.ts', ...workers }, [
  vipsIn('.', { isThere: false }),
  filesIn('.', { isThere: false }),
])
export const desktopBundles = [
  nodeBundle('dist/main', { index: 'main/index.ts', ...workers }, [
    vipsIn('../server', { isThere: true }),
    filesIn('../server', { isThere: true }),
  ]),
  preloadBundle,
]
