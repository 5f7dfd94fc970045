import { build } from 'vite'
import { desktopBundles, serverBundle } from './node-bundles'

const page = { configFile: 'vite.config.ts', logLevel: 'warn' } as const

/** Into dist/: the page, the server, the desktop's main process and its preload script. Each is tried. */
const bundles = [page, serverBundle, ...desktopBundles].map((bundle) => build(bundle))
for (const result of await Promise.allSettled(bundles)) {
  if (result.status === 'fulfilled') continue
  console.error(result.reason instanceof Error ? result.reason.message : result.reason)
  process.exitCode = 1
}
