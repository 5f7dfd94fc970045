import { build } from 'vite'
import { desktopBundles, serverBundle } from './node-bundles'

const page = { configFile: 'vite.config.ts', logLevel: 'warn' } as const

/** Into dist/: the page, the server, the desktop's main process and its preload script. */
await Promise.all([page, serverBundle, ...desktopBundles].map((bundle) => build(bundle)))
